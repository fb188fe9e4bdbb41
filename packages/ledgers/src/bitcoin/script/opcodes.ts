/** The opcodes of the script types that this ledger supports. @source Bitcoin Core, src/script/script.h */
export const OPCODES = {
  zero: 0x00,
  pushData1: 0x4c,
  pushData2: 0x4d,
  pushData4: 0x4e,
  minusOne: 0x4f,
  one: 0x51,
  sixteen: 0x60,
  return: 0x6a,
  duplicate: 0x76,
  equal: 0x87,
  equalVerify: 0x88,
  hash160: 0xa9,
  checkSignature: 0xac,
  checkMultisig: 0xae,
} as const;

/** One instruction of a script: an opcode, with the data if it is a push. */
export interface ScriptStep {
  readonly opcode: number;
  readonly data: Uint8Array | undefined;
}

/** By push opcode, the number of bytes that hold the length. */
const LENGTH_BYTES: ReadonlyMap<number, number> = new Map([
  [OPCODES.pushData1, 1],
  [OPCODES.pushData2, 2],
  [OPCODES.pushData4, 4],
]);

/** @returns undefined if a push runs beyond the script's end */
export const scriptSteps = (script: Uint8Array): readonly ScriptStep[] | undefined => {
  const steps: ScriptStep[] = [];
  for (let at = 0; at < script.length; ) {
    const opcode = script[at] ?? 0;
    at += 1;
    if (opcode > OPCODES.pushData4) {
      steps.push({ opcode, data: undefined });
      continue;
    }
    const lengthBytes = LENGTH_BYTES.get(opcode) ?? 0;
    if (at + lengthBytes > script.length) return undefined;
    const length =
      lengthBytes === 0
        ? opcode
        : script.subarray(at, at + lengthBytes).reduceRight((sum, byte) => sum * 256 + byte, 0);
    at += lengthBytes;
    if (at + length > script.length) return undefined;
    steps.push({ opcode, data: script.slice(at, at + length) });
    at += length;
  }
  return steps;
};

/** Whether a script only pushes data and small numbers. */
export const isPushOnly = (steps: readonly ScriptStep[]): boolean =>
  steps.every(({ opcode }) => opcode <= OPCODES.sixteen);

/** Whether a push uses the shortest encoding for its data. @source Bitcoin Core, src/script/script.cpp: CheckMinimalPush */
export const isMinimalPush = ({ opcode, data }: ScriptStep): boolean => {
  if (data === undefined) return true;
  const [first = 0] = data;
  if (data.length === 0) return opcode === OPCODES.zero;
  if (data.length === 1 && ((first >= 1 && first <= 16) || first === 0x81)) return false;
  if (data.length < OPCODES.pushData1) return opcode === data.length;
  if (data.length <= 0xff) return opcode === OPCODES.pushData1;
  return opcode === OPCODES.pushData2;
};
