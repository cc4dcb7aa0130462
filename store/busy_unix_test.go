//go:build unix

package store

import "golang.org/x/sys/unix"

// busyError is what a rename fails with while another process has the file open.
var busyError = unix.EBUSY

func mkfifo(path string) error { return unix.Mkfifo(path, 0o666) }
