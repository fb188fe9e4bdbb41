import { bytesOfAddress, type HorizonAddress, horizonAddress } from "../address.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrFixed,
  xdrMapped,
  xdrStruct,
  xdrU32,
  xdrU64,
  xdrUnion,
} from "./codec.ts";

export const HASH_BYTES = 32;
const PAYLOAD_BYTES_MAX = 64;

export const xdrHash = xdrFixed(HASH_BYTES);

const xdrKey = xdrMapped(xdrHash, horizonAddress, bytesOfAddress);

export const xdrAccountId = xdrMapped(
  xdrUnion("public key", { ed25519: [0, xdrKey] }),
  ({ value }): HorizonAddress => value,
  (value) => ({ type: "ed25519" as const, value }),
);

/** An account, and a number by which its owner distinguishes users. */
export interface HorizonMuxedAccount {
  readonly account: HorizonAddress;
  readonly id: bigint | undefined;
}

const xdrMuxed = xdrUnion("muxed account", {
  plain: [0, xdrKey],
  muxed: [0x100, xdrStruct({ id: xdrU64, account: xdrKey })],
});

export const xdrMuxedAccount = xdrMapped(
  xdrMuxed,
  (read): HorizonMuxedAccount =>
    read.type === "plain" ? { account: read.value, id: undefined } : read.value,
  ({ account, id }): XdrValue<typeof xdrMuxed> =>
    id === undefined ? { type: "plain", value: account } : { type: "muxed", value: { id, account } },
);

export const xdrSignerKey = xdrUnion("signer", {
  ed25519: [0, xdrKey],
  preAuthorized: [1, xdrHash],
  hash: [2, xdrHash],
  signedPayload: [3, xdrStruct({ key: xdrKey, payload: xdrBytes(PAYLOAD_BYTES_MAX) })],
});

export type HorizonSignerKey = XdrValue<typeof xdrSignerKey>;

export const xdrSigner = xdrStruct({ key: xdrSignerKey, weight: xdrU32 });
