/* terminate MILLISECONDS COMMAND LINE: runs it, and ends its first process by TerminateProcess after so long.
   The status is 99 if it was ended so, else its own. */
#include <stdlib.h>
#include <windows.h>

int main(void) {
  char *rest = GetCommandLineA();
  STARTUPINFOA start = {.cb = sizeof start};
  PROCESS_INFORMATION process;
  DWORD status = 98;
  char *end;
  /* Behind its own name. */
  char stop = *rest == '"' ? '"' : ' ';
  do rest++;
  while (*rest && *rest != stop);
  if (*rest == '"') rest++;
  DWORD bound = strtoul(rest, &end, 10);
  while (*end == ' ') end++;
  if (!CreateProcessA(NULL, end, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return 98;
  if (WaitForSingleObject(process.hProcess, bound) == WAIT_TIMEOUT) {
    TerminateProcess(process.hProcess, 99);
    WaitForSingleObject(process.hProcess, INFINITE);
  }
  GetExitCodeProcess(process.hProcess, &status);
  return status;
}
