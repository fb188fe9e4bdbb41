import type { SignerCondition } from "@conclave/testbed/launch";
import { printable } from "../printable.ts";

/**
 * A line for each pair of signers of which one refuses to sign with the other, and then a line with the remedy.
 *
 * @param signers as the orchestrator reports them; nothing but this display relies on it
 */
export const quarantineLines = (
  signers: readonly Pick<SignerCondition, "id" | "quarantined">[],
): readonly string[] => {
  const lines = signers.flatMap(({ id, quarantined }) =>
    quarantined.map(({ signer, check, evidence }) =>
      printable(`${id} signs nothing with signer ${signer}, which failed "${check}" (evidence ${evidence})`),
    ),
  );
  const remedy =
    "`conclave refresh` lifts that, with new auxiliary information; `conclave faults` shows the evidence. See SECURITY.md, a proven cheat.";
  return lines.length === 0 ? [] : ["", ...lines, remedy];
};
