package expansion

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapFile maps size bytes of an open file. The memory is read-only, and shared with other processes.
func mapFile(fd uintptr, size int64) ([]byte, func() error, error) {
	m, err := windows.CreateFileMapping(windows.Handle(fd), nil, windows.PAGE_READONLY, uint32(size>>32), uint32(size), nil)
	if err != nil {
		return nil, nil, err
	}
	addr, err := windows.MapViewOfFile(m, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	windows.CloseHandle(m) // the view keeps the mapping
	if err != nil {
		return nil, nil, err
	}
	base := addr
	data := unsafe.Slice(*(**byte)(unsafe.Pointer(&base)), size)
	return data, func() error { return windows.UnmapViewOfFile(addr) }, nil
}

// release does nothing: the system takes pages back when it needs them.
func release([]byte) {}
