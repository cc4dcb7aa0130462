// Package browser drives the explorer in headless Chromium: what people see, by mouse and by keyboard.
// It is a module of its own, so that fstore does not depend on what drives a browser; make e2e runs it.
// The tests skip where there is no Chromium.
package browser
