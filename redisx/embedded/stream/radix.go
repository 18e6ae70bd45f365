package stream

import "math/bits"

// radixKeyLen is the length of a node's key in Redis's radix tree: the id, big endian.
const radixKeyLen = 16

// RadixNodes is how many nodes Redis's radix tree would need for the keys of our nodes
// (radix-tree-nodes of XINFO STREAM). Such a tree has a leaf for every key, a node for every place
// where keys part, and one for every run of bytes between two of those. It is counted anew only
// after nodes came or went.
func (s *Stream) RadixNodes() int {
	if s.radix == 0 || s.radixOf != s.nodesChanged {
		s.radix, s.radixOf = countRadix(s.nodes), s.nodesChanged
	}
	return s.radix
}

func countRadix(nodes []*node) int {
	if len(nodes) == 0 {
		return 1 // the empty root
	}
	count := len(nodes) // the leaves
	var open []int      // depths of the places where keys part, on the way to the current key, rising
	// closeTo closes the partings deeper than depth. Each hangs below the next one still open, or
	// below the one that is about to be opened at depth; between the two may stand a run.
	closeTo := func(depth int) {
		for len(open) > 0 && open[len(open)-1] > depth {
			place := open[len(open)-1]
			open = open[:len(open)-1]
			above := depth
			if len(open) > 0 {
				above = max(above, open[len(open)-1])
			}
			if place > above+1 {
				count++
			}
		}
	}
	for i := range nodes {
		before, after := -1, -1
		if i > 0 {
			before = commonPrefix(nodes[i-1].master, nodes[i].master)
		}
		if i+1 < len(nodes) {
			after = commonPrefix(nodes[i].master, nodes[i+1].master)
		}
		if radixKeyLen-(max(before, after)+1) > 0 {
			count++ // the run from the last parting to the leaf
		}
		closeTo(after)
		if after >= 0 && (len(open) == 0 || open[len(open)-1] < after) {
			open = append(open, after)
			count++ // the parting itself
		}
	}
	return count
}

// commonPrefix is how many bytes two keys begin with in common; they are never equal.
func commonPrefix(a, b ID) int {
	if a.MS != b.MS {
		return bits.LeadingZeros64(a.MS^b.MS) / 8
	}
	return 8 + bits.LeadingZeros64(a.Seq^b.Seq)/8
}
