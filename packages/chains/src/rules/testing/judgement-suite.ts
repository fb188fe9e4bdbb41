import {
  type FamilyRules,
  type JudgedTransfer,
  judgeSignature,
  judgeTransaction,
  judgeTransfer,
  networkSchema,
  signatureBodySchema,
  transactionBodySchema,
  transferBodySchema,
} from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { z } from "zod";

/** The facts with which every family's transfers are tested. */
export interface TransferCase {
  /** the chain's name in titles */
  readonly chain: string;
  readonly rules: FamilyRules;
  readonly network: string;
  /** the wallet's address */
  readonly sender: string;
  /** the strict schema of the signers */
  readonly schema: z.ZodType;
  /** transfers with their judgements, the native coin first */
  readonly judged: readonly (readonly [object, JudgedTransfer])[];
  /** further transfers that signers accept, such as one of the largest amount */
  readonly taken: readonly object[];
  /** transfers, each after the code and the field of its refusal */
  readonly answered: readonly (readonly [string, object])[];
  /** bodies with an unknown field, or with characters that a field refuses */
  readonly unreadable: readonly object[];
  /** transfers in a history, with their views */
  readonly shown: readonly (readonly [object, object | undefined])[];
  /** the asset of those views */
  readonly asset: { readonly symbol?: string; readonly decimals?: number };
  /** spellings of tokens, with their views */
  readonly tokens: readonly (readonly [string, object])[];
  /** texts that are no token */
  readonly notTokens: readonly string[];
}

/** Judges transfers of one wallet, for further tests of a family. */
export const judgesOf = ({ rules, network, sender }: Pick<TransferCase, "rules" | "network" | "sender">) => {
  const families = { find: (family: string) => (family === rules.name ? rules : undefined) };
  const judge = (body: unknown) =>
    judgeTransfer(families, networkSchema.parse(network), transferBodySchema.parse(body), sender);
  const answer = (body: unknown, part: "message" | "field" | "why"): string => {
    const judged = judge(body);
    if (judged.ok) return "ok";
    const { code, message, details } = judged.problem;
    return `${code} ${part === "message" ? message : String(details[part])}`;
  };
  return {
    families,
    judge,
    /** the refusal's code and field, or "ok" */
    codeOf: (body: unknown) => answer(body, "field"),
    /** the refusal's code and message */
    wordsOf: (body: unknown) => answer(body, "message"),
    /** the refusal's code and its reason against a recipient */
    whyOf: (body: unknown) => answer(body, "why"),
  };
};

/** Tests a family's transfers, and the views of its tokens. */
export const describeTransfers = (facts: TransferCase): void => {
  const { chain, rules, schema, asset } = facts;
  const { judge, codeOf } = judgesOf(facts);

  describe(`a transfer on ${chain}`, () => {
    it.each(facts.judged)("is of the wallet's own account, and names what it moves: %j", (body, value) => {
      expect(judge(body)).toEqual({ ok: true, value });
    });

    it.each(facts.judged)("is of the token whose description its judgement asks for: %j", (body, value) => {
      expect(rules.tokenOf?.(transferBodySchema.parse(body))).toBe(value.token);
    });

    it.each([...facts.judged.map(([body]) => body), ...facts.taken])(
      "is judged so that the signers' strict schema takes it: %j",
      (body) => {
        const judged = judge(body);
        expect(judged.ok && schema.safeParse(judged.value.transfer).success).toBe(true);
      },
    );

    it.each(facts.answered)("INV-9 is answered %s: %j", (code, body) => {
      expect(codeOf(body)).toBe(code);
    });

    it.each(facts.unreadable)("INV-9 has no fields but its own, each of its characters: %j", (body) => {
      expect(transferBodySchema.safeParse(body).success).toBe(false);
    });

    it.each(facts.shown)("is shown in histories as it was sent: %j", (body, view) => {
      expect(rules.showMovement(transferBodySchema.parse(body), asset)).toEqual(view);
    });
  });

  describe(`a token on ${chain}`, () => {
    if (facts.tokens.length > 0)
      it.each(facts.tokens)("is shown by its name: %s", (token, view) => {
        expect(rules.showToken(token)).toEqual(view);
      });

    it.each(facts.notTokens)("is not spelt %j", (token) => {
      expect(() => rules.showToken(token)).toThrow(TypeError);
    });
  });
};

/** The facts with which a caller's own bytes are tested. */
export interface ExactCase extends Pick<TransferCase, "chain" | "rules" | "network" | "sender"> {
  /** the strict schema of the signers */
  readonly transaction: z.ZodType;
  /** the schemes of the family's keys */
  readonly schemes: readonly ("ECDSA" | "FROST-Ed25519")[];
  /** bodies of signatures that these keys do not make, with the network if it differs */
  readonly unsigned: readonly { readonly body: object; readonly on?: string }[];
}

const BYTES = { kind: "Transaction", transaction: "0xAB" };

/** Tests transactions that callers built on a family, to send or only to sign. */
export const describeExactBytes = ({ chain, transaction, schemes, unsigned, ...facts }: ExactCase): void => {
  const { rules, sender } = facts;
  const { families } = judgesOf(facts);
  const network = networkSchema.parse(facts.network);

  describe(`a transaction of a caller's making on ${chain}`, () => {
    const of = (body: unknown) =>
      judgeTransaction(families, network, transactionBodySchema.parse(body), sender);

    it("is taken as its bytes, for the wallet's own account", () => {
      const judged = of(BYTES);
      expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: sender, unsigned: "ab" } });
      expect(judged.ok && transaction.safeParse(judged.value).success).toBe(true);
    });

    it("is of no template of another family", () => {
      const judged = of({ kind: "Evm", to: sender, value: "1" });
      expect(!judged.ok && judged.problem.code).toBe("TransactionKindNotSupported");
    });
  });

  describe.each(schemes)(`a signature of a key of %s for ${chain}`, (scheme) => {
    const of = (body: unknown, on: string | undefined = network) => {
      const named = on === "" ? undefined : networkSchema.parse(on);
      const judged = judgeSignature(families, { scheme, network: named }, signatureBodySchema.parse(body));
      return judged.ok ? judged.value : judged.problem.code;
    };

    it("of a transaction is read by signers, and not signed as a message", () => {
      const content = { kind: "transaction", network, transaction: "ab" };
      expect(of(BYTES)).toEqual({ scheme, content: { kind: "readable", family: rules.name, content } });
    });

    it("of a message is of those very bytes for an Ed25519 key, and of none for an ECDSA key", () => {
      const bytes = { scheme, message: "ab" };
      const isEdwards = scheme === "FROST-Ed25519";
      expect(of({ kind: "Message", message: "0xAB" })).toEqual(
        isEdwards ? bytes : "SignatureKindNotSupported",
      );
      const message = "5a".repeat(32);
      expect(of({ kind: "Hash", hash: message.toUpperCase() })).toMatchObject(
        isEdwards ? { message } : { content: { kind: "hash" } },
      );
    });

    it.each(unsigned)("INV-9 is of no other kind, and on no other network: %j", ({ body, on }) => {
      expect(of(body, on)).toBe("SignatureKindNotSupported");
    });

    it("INV-9 of a transaction needs its network", () => {
      expect(of({ ...BYTES, blockchainKind: rules.name }, "")).toBe("InvalidBody");
    });
  });
};
