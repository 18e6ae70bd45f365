package draw

import (
	"strings"
	"testing"
)

func pane(w, h int) Block {
	line := "1735200000412-0 \x1b[38;2;1;2;3m◆\x1b[39m consumer-a ×1 12s  eventType=OrderPaid orderId=10051 amount=49000 note=주문이 결제되었습니다"
	return New(w, h, strings.Split(strings.Repeat(line+"\n", h), "\n")...)
}

// BenchmarkZipThreePanes joins three finished panes to a screen of 200×60.
func BenchmarkZipThreePanes(b *testing.B) {
	a, c, d := pane(80, 60), pane(60, 60), pane(60, 60)
	for b.Loop() {
		_ = Beside(a, c, d).String()
	}
}

// BenchmarkFitScreen fits a whole screen of 200×60, styles and wide characters included.
func BenchmarkFitScreen(b *testing.B) {
	for b.Loop() {
		_ = pane(200, 60)
	}
}

// BenchmarkPopup lays a box of 60×20 upon a screen of 200×60.
func BenchmarkPopup(b *testing.B) {
	base, top := pane(200, 60), pane(60, 20)
	for b.Loop() {
		_ = Center(base, top)
	}
}

func BenchmarkCleanASCIILine(b *testing.B) {
	s := strings.Repeat("orderId=10051 ", 14)
	for b.Loop() {
		_ = Clean(s)
	}
}

func BenchmarkCleanKorean(b *testing.B) {
	s := strings.Repeat("주문이 결제 ", 20)
	for b.Loop() {
		_ = Clean(s)
	}
}
