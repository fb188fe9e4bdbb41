import type { Lives } from "@conclave/cluster";
import type { SignerClient } from "../grpc/index.ts";

/** The current lives of these signers; signers that do not answer are left out. */
export const livesOf = async (
  signers: readonly Pick<SignerClient, "index" | "getStatus">[],
): Promise<Lives> => {
  const shown = await Promise.all(
    signers.map(async (signer) => {
      const status = await signer.getStatus();
      const life = status.ok ? status.value.life : undefined;
      return life === undefined ? [] : [[signer.index, life] as const];
    }),
  );
  return new Map(shown.flat());
};
