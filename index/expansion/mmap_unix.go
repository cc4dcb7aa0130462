//go:build unix

package expansion

import "golang.org/x/sys/unix"

// release gives back the memory that a mapped file takes. Later reads get the pages from the file again.
func release(data []byte) { _ = unix.Madvise(data, unix.MADV_DONTNEED) }

// mapFile maps size bytes of an open file. The memory is read-only, and shared with other processes.
func mapFile(fd uintptr, size int64) ([]byte, func() error, error) {
	data, err := unix.Mmap(int(fd), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
