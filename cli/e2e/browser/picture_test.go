package browser

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// TestPicture makes the picture of the README: make picture.
func TestPicture(t *testing.T) {
	file := os.Getenv("FSTORE_PICTURE")
	if file == "" {
		t.Skip("FSTORE_PICTURE names no file")
	}
	b := newTab(t)
	b.size(1280, 900, false)
	b.open("/ud/contrast?a=recipe&b=letter&where=not+(fragment+contains+%22PUNCT%22)&limit=12")
	quality, beyond := int64(70), true
	picture := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatWebp, Quality: &quality, CaptureBeyondViewport: &beyond,
		Clip: &page.Viewport{Width: 1280, Height: 1090, Scale: 1},
	}).Data
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		t.Fatal(err)
	}
}
