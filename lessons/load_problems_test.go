package lessons

// problem is a way to spoil the good lesson: pairs of a text and what stands in its place.
type problem struct {
	name    string
	replace []string
}

const readLine = "run: XREADGROUP GROUP workers alice COUNT 2 STREAMS orders >"

func fileProblems() []problem {
	return []problem{
		// the file
		{"no YAML", []string{"minutes: 3", "minutes: 3: 4"}},
		{"tab", []string{"  charges: {ledger}", "\tcharges: {ledger}"}},
		{"open bracket", []string{"shows: [N1]", "shows: [N1"}},
		{"key twice", []string{"minutes: 3", "minutes: 3\nid: good"}},
		{"second document", []string{"minutes: 3", "minutes: 3\n---\nminutes: 4"}},
		{"not UTF-8", []string{"a crashed worker", "a crashed w\xf6rker"}},
		{"control character", []string{"a crashed worker", "a crashed \x1b[31mworker"}},
		{"deep", []string{"minutes: 3", "minutes: " + repeat("[", 150) + repeat("]", 150)}},
	}
}

func keyProblems() []problem {
	return []problem{
		// keys and types
		{"misspelt key", []string{"changes: [cursor", "chnages: [cursor"}},
		{"foreign key", []string{"    shows: [N1]", "    colour: red\n    shows: [N1]"}},
		{"missing key", []string{"minutes: 3\n", ""}},
		{"text for a number", []string{"minutes: 3", "minutes: soon"}},
		{"number out of bounds", []string{"minutes: 3", "minutes: 500"}},
		{"text for a list", []string{"shows: [N1]", "shows: N1"}},
		{"list for a text", []string{"id: look", "id: [look]"}},
		{"map for a list", []string{"shows: [N1]", "shows: {N1: yes}"}},
		{"nothing", []string{"shows: [N1]", "shows:"}},
		{"reference", []string{"changes: [cursor 0-0 -> 2-0", "changes: [* -> 2-0"}},
		{"merge", []string{"  - id: look", "  - id: look\n    <<: {as: alice}"}},
		// lesson
		{"id is not the folder", []string{"id: good", "id: goood"}},
		{"id shape", []string{"id: good", "id: Good Lesson"}},
		{"clause name", []string{"  N1: a", "  clause1: a"}},
		{"clause not shown", []string{"shows: [N1]", "shows: [N2]"}},
		{"clause not there", []string{"shows: [N1]", "shows: [N1, N3]"}},
		{"command's shape", []string{"[XREADGROUP]", "[xreadgroup]"}},
		{"unknown feature", []string{"commands: [XREADGROUP]", "features: [lga]"}},
	}
}

func worldProblems() []problem {
	return []problem{
		// world
		{"kind", []string{"charges: {ledger}", "charges: {leger}"}},
		{"kind as a word", []string{"charges: {ledger}", "charges: ledger"}},
		{"two kinds", []string{"charges: {ledger}", "charges: {ledger, list}"}},
		{"two ledgers", []string{"charges: {ledger}", "charges: {ledger}\n  mails: {ledger}"}},
		{"consumers without a group", []string{"group: workers, consumers", "consumers"}},
		{"a key's name for a consumer", []string{"consumers: [alice, bob]", "consumers: [alice, bob, charges]"}},
		{"consumer twice", []string{"consumers: [alice, bob]", "consumers: [alice, alice]"}},
		{"key's shape", []string{"  charges: {ledger}", "  my charges: {ledger}"}},
		// commands
		{"quotes", []string{`RPUSH charges "A17 alice"`, `RPUSH charges "A17 alice`}},
		{"nobody", []string{"    as: alice\n    " + readLine, "    " + readLine}},
		{"no command", []string{`alice> RPUSH charges "A17 alice"`, "alice>"}},
		{"a key that is not there", []string{"COUNT 2 STREAMS orders >", "COUNT 2 STREAMS order >"}},
		{"a field named as a key", []string{"XADD orders 1-0 event A17", "XADD orders 1-0 orders A17"}},
		{"an actor named as a key", []string{"alice> RPUSH", "charges> RPUSH"}},
		{"an id of the server's in the seed", []string{"XADD orders 3-0", "XADD orders *"}},
		{"not saved", []string{"XACK orders workers 1-0 2-0", "XACK orders workers $d"}},
		{"misspelt saved", []string{"- XADD orders 3-0 event A19 amount 7000", `- {run: "XADD orders * event A19", save: last}`, "workers 1-0 2-0", "workers $lats"}},
		{"event in the seed without run", []string{"- XGROUP CREATE orders workers 0", "- {as: alice}"}},
		// events
		{"unknown event", []string{"{crash: alice}", "{crahs: alice}"}},
		{"event as a word", []string{"{event: {crash: alice}}", "{event: crash}"}},
		{"event's foreign key", []string{"{crash: alice}", "{crash: alice, of: bob}"}},
		{"event lacks a key", []string{"{idle: 1s, of: alice}", "{idle: 1s}"}},
		{"no time", []string{"idle: 1s", "idle: 1"}},
		{"too long", []string{"idle: 1s", "idle: 1m"}},
		{"no blocking command", []string{"{start: alice}", `{block: "bob> XLEN orders"}`}},
		{"does not block", []string{"{start: alice}", `{block: "bob> XREAD STREAMS orders $"}`}},
		{"unknown worker", []string{"{start: alice}", "{work: alice, like: lazy}"}},
		{"crash when", []string{"{start: alice}", "{work: alice, like: crashing}"}},
		{"slow at", []string{"{start: alice}", "{work: alice, like: slow, at: before-ack}"}},
		{"work without a ledger", []string{"{start: alice}", "{work: alice, like: slow}", "charges: {ledger}", "charges: {list}"}},
		{"event's reply", []string{"{event: {crash: alice}}", "{event: {crash: alice}, reply: OK}"}},
	}
}

func stepProblems() []problem {
	return []problem{
		// steps
		{"step twice", []string{"id: crash", "id: read"}},
		{"run and do", []string{"    " + readLine, "    " + readLine + "\n    do: [XLEN orders]"}},
		{"changes missing", []string{"    changes: [cursor 0-0 -> 2-0, +pending(1-0) alice x1, +pending(2-0) alice x1]\n", ""}},
		{"changes of nothing", []string{"id: look", "id: look\n    changes: []"}},
		{"hints without goals", []string{"id: look", "id: look\n    hints: [{say: ack}]"}},
		{"reply of do", []string{"    shows: [N1]", "    reply: OK\n    shows: [N1]"}},
		{"no change", []string{"deliveries(1-0) 1 -> 2", "deliverys(1-0) 1 -> 2"}},
		{"change twice", []string{"deliveries(2-0) 1 -> 2", "deliveries(1-0) 1 -> 2"}},
		{"feature and without", []string{"{change: +client(alice)}", "{change: +client(alice), feature: lag, without: lag}"}},
		// predictions
		{"unknown cell", []string{"cells: [cursor,", "cells: [corsur,"}},
		{"cell without its argument", []string{"deliveries(1-0), pending", "deliveries, pending"}},
		{"cell's id", []string{"deliveries(1-0), pending", "deliveries(one), pending"}},
		{"cell's key", []string{"cells: [cursor,", "cells: [length(order),"}},
		{"cell twice", []string{"cells: [cursor,", "cells: [cursor, cursor,"}},
		{"cell of no ledger", []string{"cells: [cursor,", "cells: [most-times,", "charges: {ledger}", "charges: {list}"}},
		{"cell of no group", []string{"group: workers, consumers: [alice, bob]", ""}},
		{"two right", []string{"is: zero-rereads-the-stream", "is: right"}},
		{"one option", []string{"          - {is: zero-rereads-the-stream, text: back, when: {cell: cursor, is: 0-0}}\n", ""}},
		{"option without when", []string{"text: back, when: {cell: cursor, is: 0-0}", "text: back"}},
		{"empty predict", []string{"    predict:\n      cells: [cursor, deliveries(1-0), pending(alice)]\n      choice:", "    predict: {}\n    wrong:"}},
	}
}

func goalProblems() []problem {
	return []problem{
		// conditions
		{"no condition", []string{"when: {cell: pending, is: 0}", "when: {}"}},
		{"two conditions", []string{"when: {cell: pending, is: 0}", "when: {cell: pending, is: 0, reply: OK}"}},
		{"compared with nothing", []string{"when: {cell: pending, is: 0}", "when: {cell: pending}"}},
		{"compared twice", []string{"when: {cell: pending, is: 0}", "when: {cell: pending, is: 0, changed: true}"}},
		{"false", []string{"unchanged: true", "unchanged: false"}},
		{"order of a word", []string{"{cell: consumer(alice), is: absent}", "{cell: consumer(alice), at-most: 0}"}},
		{"never so", []string{"{cell: consumer(alice), is: absent}", "{cell: consumer(alice), is: gone}"}},
		{"never a word", []string{"when: {cell: pending, is: 0}", "when: {cell: pending, is: few}"}},
		{"sent by nobody", []string{"{change: -pending(1-0) alice}", "{sent: XACK orders workers *}"}},
		{"comparing a reply", []string{"{change: -pending(1-0) alice}", "{reply: OK, is: 1}"}},
		// challenges
		{"goal twice", []string{"id: order, seen", "id: drained, seen"}},
		{"goal of two forms", []string{"when: {cell: pending, is: 0}}", "when: {cell: pending, is: 0}, never: {reply: OK}}"}},
		{"goal of no form", []string{"{id: drained, when: {cell: pending, is: 0}}", "{id: drained}"}},
		{"until of never", []string{"never: {cell: consumer(alice), is: absent}", "never: {cell: consumer(alice), is: absent}, until: {reply: OK}"}},
		{"only never", []string{"      - {id: drained, when: {cell: pending, is: 0}}\n      - {id: order, seen: [{change: -pending(1-0) alice}, {change: -pending(3-0) *}]}\n", ""}},
		{"fails what", []string{"fails: kept", "fails: keep"}},
		{"hint never said", []string{"- {if: {cell: pending(alice), at-least: 2}, say: ack}", "- {say: ack}"}},
		{"no last hint", []string{"      - {say: rest}\n", "      - {if: {reply: OK}, say: rest}\n"}},
		{"challenge that acts", []string{"    as: alice\n    goals:", "    as: alice\n    run: XLEN orders\n    goals:"}},
		{"challenge of nobody", []string{"    as: alice\n    goals:", "    goals:"}},
		{"empty solution", []string{"      - - XACK orders workers 1-0 2-0\n", "      - []\n      - - XACK orders workers 1-0 2-0\n"}},
	}
}

func wordsProblems() []problem {
	return []problem{
		{"no title", []string{"en:# A good lesson\n", ""}},
		{"no summary", []string{"en:Three orders wait in the stream `orders`; **alice** and **bob** work for one group.\n", ""}},
		{"two titles", []string{"en:## look: What", "# look: What"}},
		{"step without words", []string{"en:## look: What is there", "## loko: What is there"}},
		{"step without a title", []string{"en:## look: What is there", "## look"}},
		{"step twice", []string{"en:## look: What", "## read: What"}},
		{"step without a story", []string{"en:Alice asks for two entries with `>`.\n", ""}},
		{"why of no step", []string{"en:## look: What is there", "### why"}},
		{"option missing", []string{"en:### option back", "### option bakc"}},
		{"hint missing", []string{"en:### hint rest\nOne entry was never delivered.\n", ""}},
		{"goal too many", []string{"en:### hint rest", "### goal more\nMore.\n\n### hint rest"}},
		{"part twice", []string{"en:### goal kept", "### goal order"}},
		{"part's word", []string{"en:### option back", "### opiton back"}},
		{"why with a key", []string{"en:### why", "### why not"}},
		{"empty part", []string{"en:Alice was there all the time.\n", ""}},
		{"option without because", []string{"en:The cursor is the group's, and `0` does not touch it.\n", ""}},
		{"code's heading", []string{"en:### code go: go-redis", "### code rust: redis-rs"}},
		{"code's block", []string{"en:```go\n", "Like this:\n```go\n"}},
		{"code's language", []string{"en:```go\n", "```java\n"}},
		{"code too wide", []string{"en:\tGroup: \"workers\"", repeat(" ", 40) + "Group: \"workers\""}},
		{"code in one language only", []string{"en:### code go: go-redis", "### code go: rueidis"}},
		{"block not closed", []string{"en:2-0  alice  x2\n```", "2-0  alice  x2"}},
		{"deeper heading", []string{"en:### hint rest", "#### hint rest"}},
		{"heading without a space", []string{"en:### hint rest", "###hint rest"}},
		{"HTML", []string{"en:Leave nothing pending.", "Leave <b>nothing</b> pending."}},
		{"link", []string{"en:Leave nothing pending.", "Leave [nothing](https://redis.io) pending."}},
		{"code open", []string{"en:Leave nothing pending.", "Leave `nothing pending."}},
		{"bold open", []string{"en:Leave nothing pending.", "Leave\n**nothing pending."}},
		{"a star", []string{"en:Leave nothing pending.", "Leave *nothing* pending."}},
		{"quotation", []string{"en:Leave nothing pending.", "> Leave nothing pending."}},
		{"table", []string{"en:Leave nothing pending.", "| a | b |"}},
		{"rule", []string{"en:Leave nothing pending.", "Leave nothing pending.\n---"}},
		{"indented", []string{"en:Leave nothing pending.", "    XACK orders workers 1-0"}},
	}
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}
