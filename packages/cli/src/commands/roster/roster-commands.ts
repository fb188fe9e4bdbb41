import type { Command } from "commander";
import { aSigner } from "../../arguments/names.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { type ClusterOption, operating, stateFolder } from "../../cluster-option.ts";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import type { KeyMove } from "../../operator/move-keys.ts";
import type { ChangeOptions } from "./change.ts";

const oneMore = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const oneMoreSigner = (value: string, before: readonly string[]): readonly string[] =>
  oneMore(aSigner(value), before);

const NONE: readonly string[] = [];

const moveBySigners: KeyMove = async (records) => {
  const { moveKeys } = await import("../../operator/move-keys.ts");
  await moveKeys(records);
};

/**
 * Adds the commands that change the members and the threshold of a cluster.
 *
 * @param placeOf returns where a cluster's records are
 * @param moveKeys moves every key to the signers of the new roster
 */
export const addRosterCommands = (
  program: Command,
  placeOf: (options: ClusterOption) => Promise<RecordsPlace>,
  moveKeys: KeyMove = moveBySigners,
): void => {
  const roster = program.command("roster").description("show or change the members of the cluster");
  operating(roster.command("change"))
    .description("add and remove signers, change the threshold; without options: take up a change")
    .option("--add <n>", "so many new signers", wholeNumber, 0)
    .option(
      "--remove <id>",
      "a signer that leaves once its keys are moved; may be repeated",
      oneMoreSigner,
      NONE,
    )
    .option("--lost <id>", "a signer that is lost for good; may be repeated", oneMoreSigner, NONE)
    .option("--cheated <id>", "a signer that was proved to deviate; may be repeated", oneMoreSigner, NONE)
    .option("--evidence <file>", "the proof, one for each --cheated", oneMore, NONE)
    .option("--threshold <t>", "how many signers sign together from now on", wholeNumber)
    .action(async (options: ClusterOption & ChangeOptions) => {
      const { changeRoster } = await import("./change.ts");
      await changeRoster(await placeOf(options), options, moveKeys);
    });
  operating(roster.command("move"))
    .description("move the keys by the change that is under way, and end it")
    .action(async (options: ClusterOption) => {
      const { moveRoster } = await import("./move.ts");
      await moveRoster(await placeOf(options), moveKeys);
    });
  operating(roster.command("show"))
    .description("list the members, those of before, and the change that is under way")
    .option("--json", "as JSON", false)
    .action(async (options: ClusterOption & { readonly json: boolean }) => {
      const { showRoster } = await import("./show.ts");
      await showRoster(stateFolder(options), options.json);
    });
};
