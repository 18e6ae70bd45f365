package client_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
)

// certificate makes a self-signed certificate for 127.0.0.1, as PEM files and as itself.
func certificate(t *testing.T) (certFile, keyFile string, pair tls.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "EC PRIVATE KEY", Bytes: keyDER},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if pair, err = tls.LoadX509KeyPair(certFile, keyFile); err != nil {
		t.Fatal(err)
	}
	return certFile, keyFile, pair
}

// tlsTo forwards encrypted connections to a server, and can end all that are open.
func tlsTo(t *testing.T, s servertest.Server, config *tls.Config) (addr string, endAll func()) {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	open := make(chan net.Conn, 100)
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial(s.Network, s.Addr)
			if err != nil {
				near.Close()
				continue
			}
			open <- near
			go func() { _, _ = io.Copy(far, near); far.Close() }()
			go func() { _, _ = io.Copy(near, far); near.Close() }()
		}
	}()
	return l.Addr().String(), func() {
		for len(open) > 0 {
			(<-open).Close()
		}
	}
}

func TestTLS(t *testing.T) {
	s := servertest.One(t)
	cert, key, pair := certificate(t)
	pool := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(leaf)
	addr, endAll := tlsTo(t, s, &tls.Config{Certificates: []tls.Certificate{pair}})
	mutual, _ := tlsTo(t, s, &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool})
	for url, want := range map[string]client.Reason{
		"rediss://:" + s.Password + "@" + addr + "?tls_ca=" + cert:                                             "",
		"rediss://:" + s.Password + "@" + addr:                                                                 client.BadCertificate,
		"rediss://:" + s.Password + "@" + mutual + "?tls_ca=" + cert + "&tls_cert=" + cert + "&tls_key=" + key: "",
		"rediss://:" + s.Password + "@" + addr + "?tls_ca=/no/such/file":                                       client.Unreachable,
		"redis://:" + s.Password + "@" + addr:                                                                  client.WantsTLS,
	} {
		to, err := client.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Open(within(t), to, client.Options{})
		if want == "" && err == nil {
			c.Close()
			continue
		}
		var e *client.Error
		if !errors.As(err, &e) || e.Reason != want {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}

	to, err := client.Parse("rediss://:" + s.Password + "@" + addr + "?tls_ca=" + cert)
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, to, client.Options{Write: true})
	endAll()
	if _, err := c.Do(within(t), "DBSIZE"); err != nil {
		t.Error("a read on a connection that was closed while idle:", err)
	}
	endAll()
	if _, err := c.Do(within(t), "RPUSH", "l", "a"); err == nil {
		t.Log("the pool noticed in time")
	}
	if n := run(t, c, "LLEN l").Int; n > 1 {
		t.Errorf("a write was sent %d times", n)
	}
}
