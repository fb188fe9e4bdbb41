import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { type AgaveAddress, parseAgaveAddress } from "../address.ts";
import type { AgaveEffect, AgaveEvent } from "../advance.ts";
import type { AgaveBlock } from "../block.ts";
import type { AgaveEngine } from "../engine/engine.ts";
import { AGAVE_CODES, type AgaveRefusal } from "../refusal.ts";
import { type AgaveState, agaveBlockAt } from "../state.ts";

/** A running ledger, as RPC methods use it. */
export interface AgaveView {
  readonly engine: AgaveEngine;
  readonly state: AgaveState;
  apply(event: AgaveEvent): readonly AgaveEffect[];
}

export type AgaveAnswer =
  | { readonly kind: "result"; readonly result: LedgerJson }
  | ({ readonly kind: "error" } & AgaveRefusal)
  /** the connection is closed without an answer */
  | { readonly kind: "lost" };

export interface AgaveMethod {
  answer(ledger: AgaveView, given: readonly unknown[]): AgaveAnswer;
}

export const agaveResult = (result: LedgerJson): AgaveAnswer => ({ kind: "result", result });

export const agaveRefused = (code: number, message: string, data?: LedgerJson): AgaveAnswer => ({
  kind: "error",
  code,
  message,
  ...(data === undefined ? {} : { data }),
});

/**
 * Makes an RPC method with positional parameters.
 * @param shape the parameters, in their order
 */
export const agaveMethod = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (ledger: AgaveView, parameters: z.output<z.ZodObject<Shape>>) => AgaveAnswer,
): AgaveMethod => {
  const [schema, names] = [z.object(shape), Object.keys(shape)];
  return {
    answer: (ledger, given) => {
      if (given.length > names.length) {
        const words = `Invalid parameters: there are at most ${names.length}`;
        return agaveRefused(AGAVE_CODES.invalidParams, words);
      }
      const named = names.map((name, at) => [name, given[at] ?? undefined]);
      const parsed = schema.safeParse(Object.fromEntries(named));
      if (parsed.success) return run(ledger, parsed.data);
      const [issue] = parsed.error.issues;
      const where = issue?.path.join(".") ?? "";
      return agaveRefused(AGAVE_CODES.invalidParams, `Invalid params: ${where}: ${issue?.message ?? ""}`);
    },
  };
};

export const commitmentParameter = z.enum(["processed", "confirmed", "finalized"]).default("finalized");

/** The commitment that the caller requires, and the slot that the node must have reached. */
export const contextShape = {
  commitment: commitmentParameter,
  minContextSlot: z.int().min(0).optional(),
};

/** The options that most methods take as their last parameter; unknown members are ignored. */
export const contextParameter = z.looseObject(contextShape).prefault({});

export const addressParameter = z.string().transform((text, context): AgaveAddress => {
  const address = parseAgaveAddress(text);
  if (address !== undefined) return address;
  context.addIssue("Invalid param: Invalid");
  return z.NEVER;
});

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
const SIGNATURE_CHARACTERS_MAX = 88;
const SIGNATURE_CHARACTERS_MIN = 64;

export const signatureParameter = z
  .string()
  .regex(BASE58, "Invalid param: Invalid")
  .min(SIGNATURE_CHARACTERS_MIN, "Invalid param: WrongSize")
  .max(SIGNATURE_CHARACTERS_MAX, "Invalid param: WrongSize");

interface Context {
  readonly commitment: z.output<typeof commitmentParameter>;
  readonly minContextSlot?: number | undefined;
}

/** Answers from the latest block that has the commitment that the caller requires. */
export const atAgaveContext = (
  state: AgaveState,
  { commitment, minContextSlot }: Context,
  run: (block: AgaveBlock) => AgaveAnswer,
): AgaveAnswer => {
  const block = agaveBlockAt(state, commitment);
  return minContextSlot !== undefined && block.slot < minContextSlot
    ? agaveRefused(AGAVE_CODES.minContextSlot, "Minimum context slot has not been reached", {
        contextSlot: block.slot,
      })
    : run(block);
};

/** @source Solana documentation, RPC: RpcResponse */
export const inAgaveContext = (block: AgaveBlock, value: LedgerJson): AgaveAnswer =>
  agaveResult({ context: { apiVersion: AGAVE_VERSION, slot: block.slot }, value });

/** The node version whose answers this ledger imitates. */
export const AGAVE_VERSION = "3.0.0";
