import {
  type Decoded,
  decode,
  encode,
  type FrostSigningConfig,
  type GroupPoint,
  type KeyGenerationConfig,
  type KeyShare,
  keyShareCodec,
  mapOutput,
  type PartyIndex,
  type Point,
  type PublicKeyInfo,
  publicKeyOf,
  type Scheme,
  type SchemeName,
  Secret,
  type Start,
  startFrostSigning,
  startKeyGeneration,
  withScheme,
} from "@conclave/threshold";
import type { ReadSecret } from "./decoded.ts";
import type { ComputeResult } from "./task.ts";

// Keys of any scheme, without the type of their points: runs of all schemes stand side by side in one host.

/** A key that was made, as it goes to the store. */
export type MadeKey = Omit<Extract<ComputeResult, { readonly kind: "key" }>, "kind" | "send">;

/** A key share of any scheme as it goes to the store. */
export const madeKey = <P extends GroupPoint<P>>(scheme: Scheme<P>, share: KeyShare<P>): MadeKey => ({
  share: new Secret(encode(keyShareCodec(scheme), share)),
  keyId: share.info.keyId,
  publicKey: publicKeyOf(share.info),
  chainCode: share.info.chainCode,
});

/** @throws RangeError when the configuration is unfit: a bug of ours */
export const startKey = (
  name: SchemeName,
  config: Omit<KeyGenerationConfig<Point>, "scheme">,
): Start<MadeKey> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) =>
    mapOutput(startKeyGeneration<P>({ ...config, scheme }), (share) => madeKey(scheme, share)),
  );

/** Why a session ends that was begun with signers of the roster who cannot sign together under the key. */
export const UNFIT_QUORUM = "the signers are no quorum of this key and auxiliary info";

/** Whether the key is of so many signers and these are among them: a roster may have changed since it was made. */
export const isQuorumOf = (
  { threshold, parties }: Pick<PublicKeyInfo, "threshold" | "parties">,
  signers: readonly PartyIndex[],
): boolean => signers.length === threshold && signers.every((signer) => parties.includes(signer));

type FrostRun = Omit<FrostSigningConfig<Point>, "key">;

/** A share of a key of a FROST scheme, as far as it signs. */
export interface FrostKey {
  readonly info: Pick<PublicKeyInfo, "keyId" | "epoch">;
  readonly start: (run: FrostRun) => Start<Uint8Array>;
}

/** Reads keyShareCodec's bytes of a share of the scheme. */
export const readFrostKey = (name: SchemeName): ReadSecret<FrostKey> =>
  withScheme(name, (scheme) => (bytes: Uint8Array): Decoded<FrostKey> => {
    const key = decode(keyShareCodec(scheme), bytes);
    if (!key.ok) return key;
    const start: FrostKey["start"] = (run) =>
      isQuorumOf(key.value.info, run.signers)
        ? startFrostSigning({ ...run, key: key.value })
        : () => ({ kind: "abort", check: UNFIT_QUORUM });
    const { keyId, epoch } = key.value.info;
    return { ok: true, value: { info: { keyId, epoch }, start } };
  });
