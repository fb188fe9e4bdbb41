import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spendingCountBytes } from "@conclave/cluster";
import { loadIdentity, loadPassphrase } from "@conclave/platform";
import { encode, envelopeCodec, type PartyIndex, signEd25519 } from "@conclave/threshold";
import { type CallStatus, RawCaller } from "./raw-caller.ts";
import { type KnownCluster, memberIdentity } from "./signer-access.ts";

/** Bytes of the wire format: the envelope's kind, then the kind of statement about a count. */
const SPENDING_KIND = 16;
const REMEMBERS = 3;

/** Sends a lie about another signer's count of spent presignatures, with the liar's own certificate. */
export const remembersFor = async (
  cluster: KnownCluster,
  liar: number,
  victim: number,
  { count, signature }: { readonly count: number; readonly signature: Uint8Array },
): Promise<CallStatus> => {
  const payload = Buffer.alloc(13);
  payload[0] = REMEMBERS;
  payload.writeUIntBE(count, 1, 6);
  const head = { session: new Uint8Array(32), round: 0, kind: SPENDING_KIND, from: liar, to: victim };
  const address = cluster.description.signers.find(({ index }) => index === victim)?.address ?? "";
  const caller = new RawCaller(cluster, address, await memberIdentity(cluster, cluster.layout.signer(liar)));
  try {
    return await caller.peer(encode(envelopeCodec, { ...head, payload: new Uint8Array(payload), signature }));
  } finally {
    caller.close();
  }
};

/** A statement about a signer's count, signed with one signer's identity key. */
export const signedCount = async (
  { layout, description }: KnownCluster,
  { by, signer, count }: { readonly by: number; readonly signer: PartyIndex; readonly count: number },
): Promise<Uint8Array> => {
  const bytes = spendingCountBytes(description.clusterId, signer, count);
  return signEd25519(bytes, await identitySecret(layout.signer(by)));
};

/** The secret identity key in a signer's folder. */
export const identitySecret = async (folder: string): Promise<Uint8Array> => {
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const identity = loadIdentity(readFileSync(join(folder, "identity.key"), "utf8"), passphrase.value);
  if (!identity.ok) throw new Error(identity.problem.message);
  return identity.value.secrets.reveal().identity;
};
