// Wine 8 has no bcryptprimitives.dll, from which Go takes its random numbers.
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T n) {
	for (; n > 0x10000000; data += 0x10000000, n -= 0x10000000)
		if (!SystemFunction036(data, 0x10000000)) return FALSE;
	return SystemFunction036(data, (ULONG)n);
}
