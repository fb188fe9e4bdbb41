import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { type JavaTronAddress, javaTronAddressBytes } from "../address.ts";
import { javaTronBytesField, javaTronMessageOf, javaTronNumberField } from "../protobuf/wire-writer.ts";
import type { JavaTronAct, JavaTronTransaction } from "./transaction.ts";

/** The acts for which a node builds transactions. */
export type JavaTronBuiltAct = Extract<
  JavaTronAct,
  { readonly type: "TransferContract" | "TransferAssetContract" | "TriggerSmartContract" }
>;

const TYPE_NUMBERS: Readonly<Record<JavaTronBuiltAct["type"], bigint>> = {
  TransferContract: 1n,
  TransferAssetContract: 2n,
  TriggerSmartContract: 31n,
};

const parameterOf = (owner: JavaTronAddress, act: JavaTronBuiltAct): Uint8Array => {
  const from = javaTronAddressBytes(owner);
  switch (act.type) {
    case "TransferContract":
      return javaTronMessageOf(
        javaTronBytesField(1, from),
        javaTronBytesField(2, javaTronAddressBytes(act.to)),
        javaTronNumberField(3, act.amount),
      );
    case "TransferAssetContract":
      return javaTronMessageOf(
        javaTronBytesField(1, utf8ToBytes(act.assetId)),
        javaTronBytesField(2, from),
        javaTronBytesField(3, javaTronAddressBytes(act.to)),
        javaTronNumberField(4, act.amount),
      );
    case "TriggerSmartContract":
      return javaTronMessageOf(
        javaTronBytesField(1, from),
        javaTronBytesField(2, javaTronAddressBytes(act.contract)),
        javaTronNumberField(3, act.callValue),
        javaTronBytesField(4, act.data),
      );
  }
};

/** Encodes raw_data as a node does. */
export const encodeJavaTronRawData = (
  transaction: JavaTronTransaction,
  act: JavaTronBuiltAct,
): Uint8Array => {
  const any = javaTronMessageOf(
    javaTronBytesField(1, utf8ToBytes(`type.googleapis.com/protocol.${act.type}`)),
    javaTronBytesField(2, parameterOf(transaction.owner, act)),
  );
  const contract = javaTronMessageOf(
    javaTronNumberField(1, TYPE_NUMBERS[act.type]),
    javaTronBytesField(2, any),
    javaTronNumberField(5, BigInt(transaction.permissionId)),
  );
  return javaTronMessageOf(
    javaTronBytesField(1, transaction.refBlockBytes),
    javaTronBytesField(4, transaction.refBlockHash),
    javaTronNumberField(8, BigInt(transaction.expiration)),
    javaTronBytesField(10, transaction.data),
    javaTronBytesField(11, contract),
    javaTronNumberField(14, transaction.timestamp),
    javaTronNumberField(18, transaction.feeLimit),
  );
};

/** Encodes protocol.Transaction from raw_data and signatures. */
export const encodeJavaTronTransaction = (
  rawData: Uint8Array,
  signatures: readonly Uint8Array[],
): Uint8Array =>
  concatBytes(javaTronBytesField(1, rawData), ...signatures.map((each) => javaTronBytesField(2, each)));

/** The id of a transaction. */
export const javaTronIdOf = (rawData: Uint8Array): string => bytesToHex(sha256(rawData));
