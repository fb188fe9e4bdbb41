import {
  type Decoded,
  decode,
  type FrostSigningConfig,
  keyShareCodec,
  type Point,
  type PublicKeyInfo,
  type SchemeName,
  type Start,
  startFrostSigning,
  withScheme,
} from "@conclave/threshold";
import type { ReadSecret } from "../decoded.ts";
import { keyFitsSigners, UNFIT_QUORUM } from "../key-fits-signers.ts";

/** A share of a key of a FROST scheme, reduced to what signing needs and without the type parameter of its points. */
export interface FrostKey {
  readonly info: Pick<PublicKeyInfo, "keyId" | "epoch">;
  readonly start: (run: Omit<FrostSigningConfig<Point>, "key">) => Start<Uint8Array>;
}

/** Gives the reader of a share of the scheme, as keyShareCodec encodes it. */
export const readFrostKey = (name: SchemeName): ReadSecret<FrostKey> =>
  withScheme(name, (scheme) => (bytes: Uint8Array): Decoded<FrostKey> => {
    const key = decode(keyShareCodec(scheme), bytes);
    if (!key.ok) return key;
    const start: FrostKey["start"] = (run) =>
      keyFitsSigners(key.value.info, run.signers)
        ? startFrostSigning({ ...run, key: key.value })
        : () => ({ kind: "abort", check: UNFIT_QUORUM });
    const { keyId, epoch } = key.value.info;
    return { ok: true, value: { info: { keyId, epoch }, start } };
  });
