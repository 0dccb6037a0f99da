/* page [NUMBER]: sets the code page of the console's output, and says which one it has. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

int main(int count, char **words) {
  if (count == 2) SetConsoleOutputCP(strtoul(words[1], NULL, 10));
  printf("page:%u\n", GetConsoleOutputCP());
  return 0;
}
