import { concatBytes } from "@noble/hashes/utils.js";
import { OPCODES } from "./opcodes.ts";

export const keyHashScript = (hash: Uint8Array): Uint8Array =>
  concatBytes(
    Uint8Array.of(OPCODES.duplicate, OPCODES.hash160, hash.length),
    hash,
    Uint8Array.of(OPCODES.equalVerify, OPCODES.checkSignature),
  );

export const scriptHashScript = (hash: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(OPCODES.hash160, hash.length), hash, Uint8Array.of(OPCODES.equal));

export const witnessProgramScript = (version: number, program: Uint8Array): Uint8Array =>
  concatBytes(
    Uint8Array.of(version === 0 ? OPCODES.zero : OPCODES.one + version - 1, program.length),
    program,
  );

/** The script that pushes up to 255 bytes. */
export const pushOf = (data: Uint8Array): Uint8Array =>
  data.length < OPCODES.pushData1
    ? concatBytes(Uint8Array.of(data.length), data)
    : concatBytes(Uint8Array.of(OPCODES.pushData1, data.length), data);

/** The script that pushes a number in its shortest form, with a sign bit. */
export const pushOfNumber = (value: number): Uint8Array => {
  if (value === 0) return Uint8Array.of(OPCODES.zero);
  if (value <= 16) return Uint8Array.of(OPCODES.one + value - 1);
  const bytes: number[] = [];
  for (let left = value; left > 0; left = Math.floor(left / 256)) bytes.push(left % 256);
  return pushOf(Uint8Array.from((bytes.at(-1) ?? 0) >= 0x80 ? [...bytes, 0] : bytes));
};
