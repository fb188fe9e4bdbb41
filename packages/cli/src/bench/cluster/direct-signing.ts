import { buildTransfer, evmTransferSchema } from "@conclave/chains/evm";
import type { CommandOf } from "@conclave/cluster";
import {
  type AuthorisedTransfer,
  allowWithoutPolicies,
  authorisedTransferSchema,
  transferIdSchema,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { loadRoster } from "@conclave/platform/config";
import type { ApiWallet, Cluster } from "@conclave/testbed";
import { loadAuthorityKey } from "@conclave/testbed/authority-key";
import { signAuthorisation } from "../../operator/credentials.ts";
import { runSession } from "../last-word.ts";
import type { BenchedLink } from "./signer-links.ts";

const PAYEE = `0x${"c0ffee".padStart(40, "0")}`;
const GAS_LIMIT = 21_000n;
const GWEI = 1_000_000_000n;
const SESSION_MS = 30_000;

/** Makes a unique request. Its account nonce is far ahead, and the transaction is never broadcast. */
const freshTransfer = (cluster: Cluster, wallet: ApiWallet): AuthorisedTransfer => {
  const dateRequested = new Date().toISOString();
  return authorisedTransferSchema.parse({
    version: 2,
    kind: "transfer",
    requestId: freshId(transferIdSchema, "xfr"),
    orgId: cluster.description.developer.orgId,
    walletId: wallet.id,
    keyId: wallet.signingKey.id,
    cosigners: [],
    network: cluster.description.chain.network,
    transfer: { kind: "Native", to: PAYEE, amount: "1" },
    policy: allowWithoutPolicies(dateRequested),
    dateRequested,
  });
};

/**
 * Makes a function that requests a signature from a quorum directly over Control, as an orchestrator does. It spans the
 * request and the verified signature at every signer, without gateway, queue, database and chain. With the id of a
 * presignature of this quorum, the session uses it; otherwise the session includes presigning.
 */
export const directSigning = async (
  cluster: Cluster,
  wallet: ApiWallet,
  quorum: readonly BenchedLink[],
): Promise<(presignature?: string) => Promise<void>> => {
  const key = await loadAuthorityKey(cluster.layout, await loadRoster(cluster.layout.roster));
  const { chainId } = cluster.description.chain;
  const fees = { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI };
  return async (presignature) => {
    const authorised = freshTransfer(cluster, wallet);
    const command: CommandOf<"signing"> = {
      kind: "signing",
      quorum: quorum.map(({ index }) => index),
      keyId: wallet.signingKey.id,
      authorisation: signAuthorisation(key, authorised),
      unsigned: buildTransfer({
        chainId,
        nonce: 1_000_000n,
        gasLimit: GAS_LIMIT,
        fees,
        transfer: evmTransferSchema.parse(authorised.transfer),
      }),
      presignatures: presignature === undefined ? [] : [presignature],
      dead: undefined,
      expiresAtMs: Date.now() + SESSION_MS,
    };
    await runSession(quorum, command, (word) => word.kind === "signed");
  };
};
