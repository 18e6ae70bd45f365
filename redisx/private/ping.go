package private

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"time"
)

// pingLimit is for one attempt: whoever accepts and then says nothing is not our server.
const pingLimit = time.Second

// ping asks the planned server for a PONG, with the password, so that no other server's answer will do.
func ping(ctx context.Context, p plan) error {
	ctx, cancel := context.WithTimeout(ctx, pingLimit)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, p.Network, p.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	fmt.Fprintf(conn, "AUTH %s\r\nPING\r\n", p.Password)
	replies := bufio.NewReaderSize(conn, 512)
	for _, want := range []string{"+OK\r\n", "+PONG\r\n"} {
		got, err := replies.ReadString('\n')
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("not our server: %q", got)
		}
	}
	return nil
}
