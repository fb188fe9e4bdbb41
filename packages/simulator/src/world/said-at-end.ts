import { inspect } from "node:util";
import type { SaidText } from "../check/inv-10.ts";
import { SaidTexts } from "../watch/said-texts.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** Reads what is written when a world ends: disks of signers, the bus, errors, and the lines of the run. */
export const saidAtEnd = ({ signers, parts, failures }: SimulatedCluster): readonly SaidText[] => {
  const said = new SaidTexts();
  for (const { name, disk } of signers) {
    const { table, files } = disk.copy();
    for (const [entry, value] of table) said.add(`the store of ${name}`, [entry, value]);
    said.add(`the files of ${name}`, [...files.texts.values()]);
  }
  for (const message of parts.broker.stored) said.add("the bus", JSON.stringify(message));
  for (const { process, error } of failures) said.add(`an error of ${process}`, inspect(error));
  for (const { process, words } of parts.trace.lines) said.add(`a line of ${process}`, words);
  return said.all;
};
