import { type Codec, countedList, struct, variableBytes } from "../codec.ts";
import { type SignedMessage, signedMessageCodec } from "./signed-message.ts";

/**
 * Public values that a check needs besides the messages of its session. A third party verifies each of them
 * by a digest, in the session id or in a message that the accused signed (blame/).
 */
export interface Material {
  /** publicKeyInfoCodec of the session's key; empty when the check needs none */
  readonly key: Uint8Array;
  /** publicAuxiliaryCodec; empty when the session needs none */
  readonly auxiliary: Uint8Array;
  /** the message that FROST signs, or the agreed terms of an import (importTermsCodec); empty otherwise */
  readonly message: Uint8Array;
  /** the last messages of the signers that made the used presignature, and the echo of the accused */
  readonly presigning: readonly SignedMessage[];
}

/** No material, for faults that the signed messages alone show. */
export const NO_MATERIAL: Material = {
  key: new Uint8Array(0),
  auxiliary: new Uint8Array(0),
  message: new Uint8Array(0),
  presigning: [],
};

/** Limits in bytes: the public part of 64 parties, and the longest message that FROST signs. */
const KEY_BYTES_MAX = 8 * 1024;
const AUXILIARY_BYTES_MAX = 128 * 1024;
const MESSAGE_BYTES_MAX = 64 * 1024;
/** A broadcast and an echo of each of 64 signers. */
const PRESIGNING_MESSAGES_MAX = 128;

/** Encodes material; every part has a limit (P13). */
export const materialCodec: Codec<Material> = struct<Material>({
  key: variableBytes(KEY_BYTES_MAX),
  auxiliary: variableBytes(AUXILIARY_BYTES_MAX),
  message: variableBytes(MESSAGE_BYTES_MAX),
  presigning: countedList(signedMessageCodec, PRESIGNING_MESSAGES_MAX),
});
