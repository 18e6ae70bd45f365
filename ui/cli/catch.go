package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"pelscope/ui/draw"
)

// catch makes a command and all below it keep their errors in failed instead of returning them. (Fang would
// ask the terminal for its background, and wait for the answer, before it told one; and we tell them
// ourselves.) What is wrong with arguments or flags becomes a usageError.
func catch(cmd *cobra.Command, failed *error) {
	for _, sub := range cmd.Commands() {
		catch(sub, failed)
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		*failed = usagef("%s; %s --help tells what there is", flagError(err), cmd.CommandPath())
		return nil
	})
	args, run := cmd.Args, cmd.RunE
	if !cmd.Runnable() {
		args, run = nil, onlyOthers
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if args != nil {
			err := args(cmd, given)
			if errors.As(err, new(*usageError)) {
				*failed = err
				return nil
			}
			if err != nil {
				*failed = usagef("%s: not with %s", cmd.UseLine(), draw.Plural(int64(len(given)), "argument", "arguments"))
				return nil
			}
		}
		*failed = run(cmd, given)
		return nil
	}
}

// flagError is what is wrong with a flag. A server that was taken for one is not quoted: pflag cuts it at a
// "=", and what is left of a password is no longer known as one.
func flagError(err error) string {
	what, quoted, _ := strings.Cut(err.Error(), ": ")
	if (strings.HasPrefix(what, "unknown") || strings.HasPrefix(what, "bad")) && strings.ContainsAny(quoted, ":/@") {
		return "a server has no dash before it"
	}
	return err.Error()
}

// onlyOthers is what a command does that only holds others.
func onlyOthers(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("there is no command %q; %s --help tells what there is", cmd.CommandPath()+" "+args[0], cmd.CommandPath())
	}
	return cmd.Help()
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q; pelscope --help tells what there is", strings.Join(args, " "))
			}
			of.InitDefaultHelpFlag()
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}
