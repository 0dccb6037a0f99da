/* hold FILE: opens it so that nobody else can, says "held", and closes it when standard input ends. */
#include <stdio.h>
#include <windows.h>

int main(int count, char **words) {
  HANDLE file = INVALID_HANDLE_VALUE;
  if (count != 2) return 2;
  /* The run has it open now and then. */
  while ((file = CreateFileA(words[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL)) == INVALID_HANDLE_VALUE) Sleep(1);
  puts("held");
  fflush(stdout);
  while (getchar() != EOF) {}
  CloseHandle(file);
  return 0;
}
