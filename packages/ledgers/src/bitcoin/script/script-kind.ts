import { OPCODES, type ScriptStep, scriptSteps } from "./opcodes.ts";

/** The kind of an output's script, in Bitcoin Core's names of the kinds. */
export type BitcoindScriptKind =
  | { readonly kind: "pubkeyhash"; readonly hash: Uint8Array }
  | { readonly kind: "scripthash"; readonly hash: Uint8Array }
  | { readonly kind: "witness_v0_keyhash"; readonly hash: Uint8Array }
  | { readonly kind: "witness_v0_scripthash"; readonly hash: Uint8Array }
  | { readonly kind: "witness_v1_taproot"; readonly key: Uint8Array }
  | { readonly kind: "anchor" }
  | { readonly kind: "witness_unknown"; readonly version: number; readonly program: Uint8Array }
  | { readonly kind: "pubkey"; readonly key: Uint8Array }
  | { readonly kind: "multisig"; readonly required: number; readonly keys: number }
  | { readonly kind: "nulldata" }
  | { readonly kind: "nonstandard" };

export interface WitnessProgram {
  readonly version: number;
  readonly program: Uint8Array;
}

const isHex = (script: Uint8Array, ...opcodes: readonly [at: number, opcode: number][]): boolean =>
  opcodes.every(([at, opcode]) => script[at] === opcode);

/** Parses a witness program: a version, and a push of 2 to 40 bytes. @source BIP-141 */
export const witnessProgramOf = (script: Uint8Array): WitnessProgram | undefined => {
  const [opcode = 0, length = 0] = script;
  if (script.length < 4 || script.length > 42 || length !== script.length - 2) return undefined;
  if (opcode === OPCODES.zero) return { version: 0, program: script.slice(2) };
  return opcode >= OPCODES.one && opcode <= OPCODES.sixteen
    ? { version: opcode - OPCODES.one + 1, program: script.slice(2) }
    : undefined;
};

const kindOfProgram = ({ version, program }: WitnessProgram): BitcoindScriptKind => {
  if (version === 0 && program.length === 20) return { kind: "witness_v0_keyhash", hash: program };
  if (version === 0 && program.length === 32) return { kind: "witness_v0_scripthash", hash: program };
  if (version === 1 && program.length === 32) return { kind: "witness_v1_taproot", key: program };
  if (version === 1 && isHex(program, [0, 0x4e], [1, 0x73]) && program.length === 2)
    return { kind: "anchor" };
  return version === 0 ? { kind: "nonstandard" } : { kind: "witness_unknown", version, program };
};

/** Whether bytes have the length and first byte of a public key; they need not be a point of the curve. */
export const isKeyShaped = (key: Uint8Array): boolean => {
  const [first = 0] = key;
  return key.length === 33 ? first === 2 || first === 3 : key.length === 65 && [4, 6, 7].includes(first);
};

const smallNumber = (opcode: number | undefined): number =>
  opcode !== undefined && opcode >= OPCODES.one && opcode <= OPCODES.sixteen ? opcode - OPCODES.one + 1 : 0;

const kindOfSteps = (steps: readonly ScriptStep[]): BitcoindScriptKind => {
  const [first, ...rest] = steps;
  if (first?.opcode === OPCODES.return) {
    return rest.every(({ opcode }) => opcode <= OPCODES.sixteen)
      ? { kind: "nulldata" }
      : { kind: "nonstandard" };
  }
  const key = first?.data;
  if (
    steps.length === 2 &&
    key !== undefined &&
    isKeyShaped(key) &&
    rest[0]?.opcode === OPCODES.checkSignature
  ) {
    return { kind: "pubkey", key };
  }
  const keys = steps.slice(1, -2);
  const [required, count] = [smallNumber(first?.opcode), smallNumber(steps.at(-2)?.opcode)];
  const isMultisig =
    steps.at(-1)?.opcode === OPCODES.checkMultisig &&
    required >= 1 &&
    required <= count &&
    keys.length === count &&
    keys.every(({ data }) => data !== undefined && isKeyShaped(data));
  return isMultisig ? { kind: "multisig", required, keys: count } : { kind: "nonstandard" };
};

/** @source Bitcoin Core, src/script/solver.cpp: Solver */
export const kindOfScript = (script: Uint8Array): BitcoindScriptKind => {
  const end = script.length - 1;
  if (script.length === 23 && isHex(script, [0, OPCODES.hash160], [1, 20], [end, OPCODES.equal])) {
    return { kind: "scripthash", hash: script.slice(2, 22) };
  }
  const program = witnessProgramOf(script);
  if (program !== undefined) return kindOfProgram(program);
  const isKeyHash = isHex(
    script,
    [0, OPCODES.duplicate],
    [1, OPCODES.hash160],
    [2, 20],
    [23, OPCODES.equalVerify],
    [24, OPCODES.checkSignature],
  );
  if (script.length === 25 && isKeyHash) return { kind: "pubkeyhash", hash: script.slice(3, 23) };
  const steps = scriptSteps(script);
  return steps === undefined ? { kind: "nonstandard" } : kindOfSteps(steps);
};

/**
 * Whether an output can never be spent, so that it is not stored. @source Bitcoin Core, src/script/script.h:
 * IsUnspendable
 */
export const isUnspendable = (script: Uint8Array): boolean =>
  script[0] === OPCODES.return || script.length > 10_000;
