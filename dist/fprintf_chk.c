/* glibc's checked fprintf, for LLVM's unwinder as Debian builds it: it prints its own failures with it,
   and musl has no such function. */
#include <stdarg.h>
#include <stdio.h>

int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  int written = vfprintf(stream, format, rest);
  va_end(rest);
  (void)flag;
  return written;
}
