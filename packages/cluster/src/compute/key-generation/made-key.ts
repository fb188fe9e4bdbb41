import {
  encode,
  type GroupPoint,
  type KeyShare,
  keyShareCodec,
  publicKeyOf,
  type Scheme,
  Secret,
} from "@conclave/threshold";
import type { MadeKey } from "./task.ts";

/** A share of a key of any scheme, without the type parameter of its points, as one host runs sessions of all schemes. */
export const madeKey = <P extends GroupPoint<P>>(scheme: Scheme<P>, share: KeyShare<P>): MadeKey => ({
  share: new Secret(encode(keyShareCodec(scheme), share)),
  keyId: share.info.keyId,
  publicKey: publicKeyOf(share.info),
  chainCode: share.info.chainCode,
});
