package stream

import "sort"

// node is a run of entries, what Redis keeps in one listpack of its radix tree.
type node struct {
	master  ID       // the id of the first entry it ever had, which is its key
	names   []string // that entry's field names
	entries []packed // in order of id, tombstones among them
	live    int      // entries that are not tombstones
	bytes   int      // what the listpack would take
}

// newNode is a node with the one entry.
func newNode(id ID, fields []string) *node {
	n := &node{master: id, names: make([]string, 0, len(fields)/2)}
	n.bytes = listpackEmpty + listpackInt(0) + listpackInt(0) + listpackInt(int64(len(fields)/2)) + listpackInt(0)
	for i := 0; i < len(fields); i += 2 {
		n.names = append(n.names, fields[i])
		n.bytes += listpackString(fields[i])
	}
	n.append(id, fields)
	return n
}

// full says whether an entry with these fields has to go into a new node.
func (n *node) full(fields []string, lim Limits) bool {
	size := 0
	for _, f := range fields {
		size += len(f)
	}
	if n.bytes+size >= lim.nodeBytes() {
		return true
	}
	return lim.NodeMaxEntries > 0 && int64(len(n.entries)) >= lim.NodeMaxEntries
}

// append adds an entry behind the others and returns by how many bytes the node grew.
func (n *node) append(id ID, fields []string) int {
	before := n.bytes
	same := n.sameNames(fields)
	n.entries = append(n.entries, packed{id: id, data: pack(fields, !same), names: !same})
	n.countLive(+1)
	pairs := len(fields) / 2
	pieces := 3 + pairs // flags, two parts of the id, the values
	n.bytes += listpackInt(0) + listpackInt(int64(id.MS-n.master.MS)) + listpackInt(int64(id.Seq-n.master.Seq))
	if !same {
		pieces += pairs + 1
		n.bytes += listpackInt(int64(pairs))
	}
	for i, f := range fields {
		if !same || i%2 == 1 {
			n.bytes += listpackString(f)
		}
	}
	n.bytes += listpackInt(int64(pieces))
	return n.bytes - before
}

// close gives back the room that was kept for more entries.
func (n *node) close() {
	if len(n.entries) < cap(n.entries) {
		n.entries = append(make([]packed, 0, len(n.entries)), n.entries...)
	}
}

// sameNames says whether fields have the node's names, in the same order.
func (n *node) sameNames(fields []string) bool {
	if len(fields) != 2*len(n.names) {
		return false
	}
	for i, name := range n.names {
		if fields[2*i] != name {
			return false
		}
	}
	return true
}

// bury makes entry i a tombstone and returns by how many bytes the node grew. The caller removes a node that has no live entry left.
func (n *node) bury(i int) int {
	before := n.bytes
	dead := len(n.entries) - n.live
	n.bytes += listpackInt(int64(dead+1)) - listpackInt(int64(dead))
	n.entries[i].deleted = true
	n.entries[i].data = ""
	n.countLive(-1)
	return n.bytes - before
}

// countLive changes the count of live entries, which the listpack begins with.
func (n *node) countLive(by int) {
	n.bytes += listpackInt(int64(n.live+by)) - listpackInt(int64(n.live))
	n.live += by
}

// seek is the place of the first entry at or after id, tombstones included.
func (n *node) seek(id ID) int {
	return sort.Search(len(n.entries), func(i int) bool { return !n.entries[i].id.Less(id) })
}

// lastID is the id of the last entry, a tombstone included.
func (n *node) lastID() ID { return n.entries[len(n.entries)-1].id }
