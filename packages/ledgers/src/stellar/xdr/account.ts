import { bytesOfAddress, type HorizonAddress, horizonAddress } from "../address.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrMapped,
  xdrNumber,
  xdrOnly,
  xdrStruct,
  xdrU64,
  xdrUnion,
} from "./codec.ts";
import { xdr } from "./sdk.ts";

const xdrKey = xdrMapped(xdrBytes, horizonAddress, bytesOfAddress);

export const xdrAccountId = xdrOnly(xdr.PublicKey, "publicKeyTypeEd25519", xdrKey);

/** An account with an optional id, by which its owner distinguishes users. */
export interface HorizonMuxedAccount {
  readonly account: HorizonAddress;
  readonly id: bigint | undefined;
}

const xdrMuxed = xdrUnion(xdr.MuxedAccount, {
  plain: ["keyTypeEd25519", xdrKey],
  muxed: [
    "keyTypeMuxedEd25519",
    xdrStruct(xdr.MuxedAccountMed25519, { id: xdrU64, account: ["ed25519", xdrKey] }),
  ],
});

export const xdrMuxedAccount = xdrMapped(
  xdrMuxed,
  (read): HorizonMuxedAccount =>
    read.type === "plain" ? { account: read.value, id: undefined } : read.value,
  ({ account, id }): XdrValue<typeof xdrMuxed> =>
    id === undefined ? { type: "plain", value: account } : { type: "muxed", value: { id, account } },
);

export const xdrSignerKey = xdrUnion(xdr.SignerKey, {
  ed25519: ["signerKeyTypeEd25519", xdrKey],
  preAuthorized: ["signerKeyTypePreAuthTx", xdrBytes],
  hash: ["signerKeyTypeHashX", xdrBytes],
  signedPayload: [
    "signerKeyTypeEd25519SignedPayload",
    xdrStruct(xdr.SignerKeyEd25519SignedPayload, { key: ["ed25519", xdrKey], payload: xdrBytes }),
  ],
});

export type HorizonSignerKey = XdrValue<typeof xdrSignerKey>;

export const xdrSigner = xdrStruct(xdr.Signer, { key: xdrSignerKey, weight: xdrNumber });
