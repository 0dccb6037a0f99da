/* The one function of bcryptprimitives.dll that Rust's standard library asks for, and that Wine 8 lacks.
   For these tests alone; it is never handed out. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length); /* RtlGenRandom, of advapi32.dll */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
  return SystemFunction036(bytes, (ULONG)length);
}
