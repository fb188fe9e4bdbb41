import type { SignerCondition } from "@conclave/testbed/launch";

/**
 * A line for each signer that started from an older copy of its store and holds keys from before that, and then a line
 * with the remedy.
 */
export const olderStoreLines = (
  signers: readonly Pick<SignerCondition, "id" | "keysToRefresh">[],
): readonly string[] => {
  const lines = signers.flatMap(({ id, keysToRefresh }) =>
    keysToRefresh === 0
      ? []
      : [
          `${id} signs nothing with ${keysToRefresh} ${keysToRefresh === 1 ? "key" : "keys"}: its store was an older copy`,
        ],
  );
  const remedy =
    "`conclave refresh` gives each key its next epoch, with which that signer signs again. See SECURITY.md, an operator with a disk or a backup.";
  return lines.length === 0 ? [] : ["", ...lines, remedy];
};
