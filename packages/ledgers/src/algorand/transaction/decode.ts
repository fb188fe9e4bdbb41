import { bytesToHex } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { NOBODY } from "../address.ts";
import {
  encodeCanonical,
  isMsgpackMap,
  type MsgpackMap,
  type MsgpackValue,
  readMsgpack,
} from "../msgpack.ts";
import { isSameBytes } from "../same-bytes.ts";
import { FieldRefused, Fields } from "./fields.ts";
import { submissionId } from "./identity.ts";
import type { AlgodAct, AlgodAssetParameters, AlgodSubmission, AlgodTransaction } from "./transaction.ts";

/** MaxTxGroupSize of the protocol. */
const MOST_TRANSACTIONS_IN_A_GROUP = 16;
const DIGEST_BYTES = 32;
const SIGNATURE_BYTES = 64;

const SIGNED_KEYS = new Set(["sig", "msig", "lsig", "pqsig", "sgnr", "txn"]);
const OTHER_SIGNATURES = ["msig", "lsig", "pqsig"];
const HEADER_KEYS = ["type", "snd", "fee", "fv", "lv", "note", "gen", "gh", "grp", "lx", "rekey"];
const PARAMETER_KEYS = new Set(["t", "dc", "df", "un", "an", "au", "am", "m", "r", "f", "c"]);

/** The field keys of each transaction type that this ledger implements. */
const ACT_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["pay", ["rcv", "amt", "close"]],
  ["axfer", ["xaid", "aamt", "asnd", "arcv", "aclose"]],
  ["acfg", ["caid", "apar"]],
  ["afrz", ["fadd", "faid", "afrz"]],
]);
/** Further types of real nodes; their fields are not checked. */
const OTHER_TYPES = new Set(["keyreg", "appl", "stpf", "hb"]);

const parametersOf = (map: MsgpackMap): AlgodAssetParameters => {
  const fields = new Fields(map);
  fields.only(PARAMETER_KEYS);
  return {
    total: fields.uint("t"),
    decimals: fields.small("dc"),
    defaultFrozen: fields.flag("df"),
    unitName: fields.text("un"),
    name: fields.text("an"),
    url: fields.text("au"),
    metadataHash: fields.fixed("am", DIGEST_BYTES),
    manager: fields.address("m"),
    reserve: fields.address("r"),
    freeze: fields.address("f"),
    clawback: fields.address("c"),
  };
};

const actOf = (type: string, fields: Fields): AlgodAct => {
  switch (type) {
    case "pay":
      return {
        kind: "payment",
        receiver: fields.address("rcv") ?? NOBODY,
        amount: fields.uint("amt"),
        closeTo: fields.address("close"),
      };
    case "axfer":
      return {
        kind: "asset-transfer",
        assetId: fields.uint("xaid"),
        amount: fields.uint("aamt"),
        receiver: fields.address("arcv") ?? NOBODY,
        clawedFrom: fields.address("asnd"),
        closeTo: fields.address("aclose"),
      };
    case "acfg": {
      const parameters = fields.map("apar");
      return {
        kind: "asset-configuration",
        assetId: fields.uint("caid"),
        parameters: parameters && parametersOf(parameters),
      };
    }
    case "afrz":
      return {
        kind: "asset-freeze",
        assetId: fields.uint("faid"),
        account: fields.address("fadd") ?? NOBODY,
        frozen: fields.flag("afrz"),
      };
    default:
      return { kind: "not-simulated", type };
  }
};

/**
 * Refuses a field of another type by a node's message for that case; a field of no type makes the transaction
 * undecodable.
 */
const checkKeys = (type: string, map: MsgpackMap): void => {
  const own = ACT_KEYS.get(type);
  if (own === undefined) return;
  const foreign = [...ACT_KEYS].find(
    ([other, keys]) => other !== type && keys.some((key) => map.has(key) && !own.includes(key)),
  );
  if (foreign !== undefined) {
    throw new FieldRefused(`transaction of type ${type} has non-zero fields for type ${foreign[0]}`);
  }
  new Fields(map).only(new Set([...HEADER_KEYS, ...own]));
};

const transactionOf = (map: MsgpackMap): AlgodTransaction => {
  const fields = new Fields(map);
  const type = fields.text("type");
  if (!ACT_KEYS.has(type) && !OTHER_TYPES.has(type)) throw new FieldRefused(`unknown tx type ${type}`);
  checkKeys(type, map);
  const lease = fields.fixed("lx", DIGEST_BYTES);
  return {
    sender: fields.address("snd") ?? NOBODY,
    fee: fields.uint("fee"),
    firstValid: fields.uint("fv"),
    lastValid: fields.uint("lv"),
    note: fields.bytes("note"),
    genesisId: fields.text("gen"),
    genesisHash: fields.fixed("gh", DIGEST_BYTES),
    group: fields.fixed("grp", DIGEST_BYTES),
    lease: lease && bytesToHex(lease),
    rekeyTo: fields.address("rekey"),
    act: actOf(type, fields),
  };
};

const submissionOf = (signedFields: MsgpackMap, size: number): AlgodSubmission => {
  const signed = new Fields(signedFields);
  signed.only(SIGNED_KEYS);
  const fields = signed.map("txn");
  if (fields === undefined) throw new FieldRefused("msgpack decode error: missing required field txn");
  return {
    id: submissionId(fields),
    transaction: transactionOf(fields),
    signature: signed.fixed("sig", SIGNATURE_BYTES),
    signer: signed.address("sgnr"),
    otherSignature: OTHER_SIGNATURES.find((key) => signedFields.has(key)),
    fields,
    signedFields,
    size,
  };
};

/** @param bytes that begin with the encoding of this value */
const readSubmission = (value: MsgpackValue, bytes: Uint8Array): Ruling<AlgodSubmission> => {
  if (!isMsgpackMap(value)) return refusedWith("msgpack decode error [pos 0]: a signed transaction is a map");
  const encoded = encodeCanonical(value);
  if (!isSameBytes(encoded, bytes.subarray(0, encoded.length))) {
    return refusedWith("msgpack decode error [pos 0]: the encoding is not canonical");
  }
  try {
    return granted(submissionOf(value, encoded.length));
  } catch (error) {
    if (error instanceof FieldRefused) return refusedWith(error.message);
    throw error;
  }
};

/**
 * Reads the concatenated signed transactions of one submission.
 *
 * A node accepts non-canonical encodings too, but computes the id from the canonical one, so an id computed from the sent
 * bytes would be wrong. This ledger refuses them, so that the sender notices at once.
 * @param bytes as POST /v2/transactions carries them
 * @source go-algorand, daemon/algod/api/server/v2/handlers.go: decodeTxGroup
 */
export const decodeGroup = (bytes: Uint8Array): Ruling<readonly AlgodSubmission[]> => {
  const group: AlgodSubmission[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (group.length === MOST_TRANSACTIONS_IN_A_GROUP) {
      return refusedWith(`max group size is ${MOST_TRANSACTIONS_IN_A_GROUP}`);
    }
    const rest = bytes.subarray(at);
    const decoded = readMsgpack(rest);
    if (!decoded.ok) return decoded;
    const submission = readSubmission(decoded.value, rest);
    if (!submission.ok) return submission;
    group.push(submission.value);
    at += submission.value.size;
  }
  return group.length === 0 ? refusedWith("empty txgroup") : granted(group);
};
