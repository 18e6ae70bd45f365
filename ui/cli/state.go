package cli

import "github.com/spf13/cobra"

func stateCommand(w *World, f *flags) *cobra.Command { return &cobra.Command{Use: "state"} }
