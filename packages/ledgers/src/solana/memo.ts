import { MEMO_PROGRAMS } from "./address.ts";
import type { AgaveMessage } from "./wire/message.ts";

/** The memos of a transaction, in the format of a node. @source Agave, transaction-status/src/extract_memos.rs */
export const agaveMemosOf = ({ keys, instructions }: AgaveMessage): string | undefined => {
  const memos = instructions.flatMap(({ program, data }) => {
    const address = keys[program];
    if (address === undefined || !MEMO_PROGRAMS.includes(address)) return [];
    return [`[${data.length}] ${memoText(data)}`];
  });
  return memos.length === 0 ? undefined : memos.join("; ");
};

const memoText = (data: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return "(unparseable)";
  }
};
