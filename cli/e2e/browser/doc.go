// Package browser tests the explorer in headless Chromium, by mouse and by keyboard. It is a module of its
// own, so that fstore does not depend on packages that control a browser. make e2e runs it. The tests are
// skipped if there is no Chromium.
package browser
