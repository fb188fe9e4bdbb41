import type { SignerCondition } from "@conclave/testbed/launch";
import { typedCommand } from "@conclave/testbed/launch";

type Behind = Pick<SignerCondition, "id" | "standing">;

/** By standing, the line with the command by which an operator has a signer sign again. */
const lineOf = ({ id, standing }: Behind, cluster: string): string | undefined => {
  switch (standing) {
    case "away":
      return `${id} does not answer: \`${typedCommand("start", cluster, { PROCESS: id })}\` starts it where its process has ended`;
    case "bare":
      return `${id} has lost its store: \`${typedCommand("reprovision", cluster, { SIGNER: id })}\` gives it its keys again`;
    case "making":
    case "ready":
      return undefined;
  }
};

/**
 * A line for each signer that does not sign, with the command that mends it; none in a new cluster, whose signers all have nothing yet.
 * @param cluster its name
 */
export const behindLines = (signers: readonly Behind[], cluster: string): readonly string[] => {
  const lines = signers.flatMap((signer) => lineOf(signer, cluster) ?? []);
  const isNew = !signers.some(({ standing }) => standing === "ready");
  return lines.length === 0 || isNew ? [] : ["", ...lines];
};
