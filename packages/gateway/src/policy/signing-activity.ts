import { effectsOf } from "@conclave/chains";
import {
  type AuthorisedAct,
  type ChainWallet,
  type ConcernedWallet,
  type Effects,
  type JudgedSignature,
  opaque,
  type SignatureRequest,
  type SigningActivity,
} from "@conclave/custody";
import { type Connection, listWalletsOfKey } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

type Chains = Pick<Dependencies, "chains">;

const chainIdOf = ({ chains }: Chains, network: string | undefined): number | undefined =>
  network === undefined ? undefined : chains.get(network)?.network.chainId;

/** What a wallet moves to itself does not leave it: so a transaction may be cancelled without anybody's approval. */
const leaving = ({ movements, unknown }: Effects, address: string): Effects => ({
  movements: movements.filter(({ recipient }) => recipient !== address.toLowerCase()),
  unknown,
});

/** A transfer or transaction as policies judge it: by what it does. */
export const activityOfAct = (chains: Chains, wallet: ChainWallet, act: AuthorisedAct): SigningActivity => {
  const content = act.kind === "transfer" ? act.transfer : act.transaction;
  return {
    kind: "Wallets:Sign",
    keyId: wallet.keyId,
    wallets: [wallet],
    effects: leaving(effectsOf(chainIdOf(chains, act.network), content), wallet.address),
  };
};

/**
 * A signature as policies judge it. A transaction speaks for the wallet of its network alone; whatever else is signed could
 * be used from every wallet of the key, whichever was named.
 */
export const activityOfSignature = async (
  chains: Chains,
  connection: Connection,
  { keyId, network }: Pick<SignatureRequest, "keyId" | "network">,
  judged: JudgedSignature,
): Promise<SigningActivity> => {
  const all = await listWalletsOfKey(connection, keyId);
  const isTransaction = judged.scheme === "ECDSA" && judged.content.kind === "transaction";
  const wallets: readonly ConcernedWallet[] = isTransaction
    ? all.filter((wallet) => wallet.network === network)
    : all;
  const effects =
    judged.scheme === "ECDSA"
      ? effectsOf(chainIdOf(chains, network), judged.content)
      : opaque("a message does not tell what it is for");
  return { kind: "Wallets:Sign", keyId, wallets, effects };
};
