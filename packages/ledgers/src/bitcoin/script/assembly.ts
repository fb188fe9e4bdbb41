import { bytesToHex } from "@noble/hashes/utils.js";
import { OPCODES, type ScriptStep, scriptSteps } from "./opcodes.ts";

const NAMES: ReadonlyMap<number, string> = new Map([
  [OPCODES.minusOne, "-1"],
  [OPCODES.return, "OP_RETURN"],
  [OPCODES.duplicate, "OP_DUP"],
  [OPCODES.equal, "OP_EQUAL"],
  [OPCODES.equalVerify, "OP_EQUALVERIFY"],
  [OPCODES.hash160, "OP_HASH160"],
  [OPCODES.checkSignature, "OP_CHECKSIG"],
  [OPCODES.checkMultisig, "OP_CHECKMULTISIG"],
]);

/** Core shows pushes of up to four bytes as numbers. */
const numberText = (data: Uint8Array): string => {
  const magnitude = data.reduceRight((sum, byte, at) => {
    const bits = at === data.length - 1 ? byte & 0x7f : byte;
    return sum * 256 + bits;
  }, 0);
  return ((data.at(-1) ?? 0) & 0x80) !== 0 ? `-${magnitude}` : `${magnitude}`;
};

const stepText = ({ opcode, data }: ScriptStep): string => {
  if (data !== undefined) return data.length <= 4 ? numberText(data) : bytesToHex(data);
  if (opcode >= OPCODES.one && opcode <= OPCODES.sixteen) return `${opcode - OPCODES.one + 1}`;
  return NAMES.get(opcode) ?? "OP_UNKNOWN";
};

/** The assembly text of a script. @source Bitcoin Core, src/core_write.cpp: ScriptToAsmStr */
export const scriptAssembly = (script: Uint8Array): string =>
  scriptSteps(script)?.map(stepText).join(" ") ?? "[error]";
