import { concatBytes } from "@noble/curves/utils.js";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import { describe, expect, it } from "vitest";
import {
  SOL_TRANSFER,
  SOLANA_BLOCKHASH,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
} from "../testing/solana-samples.ts";
import { SOLANA_MEMO_PROGRAM, SOLANA_TOKEN_2022_PROGRAM } from "./message/programs.ts";
import { requestTagOf } from "./request-tag.ts";
import { associatedAccount } from "./token/associated-account.ts";
import { decodeSolana, encodeSolana } from "./transaction.ts";
import { type TransferFrame, transferDraft } from "./transfer-form.ts";

const [FROM, TO, MINT] = [address(SOLANA_SENDER), address(SOLANA_RECIPIENT), address(SOLANA_MINT)];
const SIGNER = createNoopSigner(FROM);
const FRAME: TransferFrame = {
  blockhash: SOLANA_BLOCKHASH,
  memo: { tag: requestTagOf("xfr-aaaaa-bbbbb-ccccccccccccccc"), slot: 4_711n },
  units: 30_000,
  price: 25_000n,
  decimals: 6,
  creates: true,
};
const MEMO = `${FRAME.memo.tag} 4711`;
const payment = getTransferSolInstruction({ source: SIGNER, destination: TO, amount: 5n });

const memoInstruction = (text: string): Instruction => ({
  programAddress: address(SOLANA_MEMO_PROGRAM),
  data: new TextEncoder().encode(text),
});

/** The transaction that the chain's own library builds from instructions. */
const bytesBySdk = (
  instructions: readonly Instruction[],
  { version = 0, payer = FROM }: { readonly version?: 0 | "legacy"; readonly payer?: Address } = {},
): Uint8Array => {
  const lifetime = { blockhash: blockhash(SOLANA_BLOCKHASH), lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version }),
    (made) => setTransactionMessageFeePayer(payer, made),
    (made) => setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
    (made) => appendTransactionMessageInstructions([...instructions], made),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
};

const said = (unsigned: Uint8Array): string => {
  const decoded = decodeSolana(unsigned);
  return decoded.ok ? "read" : decoded.problem.message;
};

/** The instructions in the bytes, as the chain's own library decodes them: programs, accounts and data. */
const instructionsBySdk = (unsigned: Uint8Array) => {
  const { messageBytes } = getTransactionDecoder().decode(unsigned);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!("staticAccounts" in message) || !("instructions" in message))
    expect.fail("it is no message of this version");
  const { staticAccounts, instructions } = message;
  return instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array(0) }) => ({
    program: staticAccounts[programAddressIndex],
    accounts: accountIndices.map((index) => staticAccounts[index]),
    data: Buffer.from(Uint8Array.from(data)).toString("hex"),
  }));
};

const shown = ({ programAddress, accounts = [], data = new Uint8Array(0) }: Instruction) => ({
  program: programAddress,
  accounts: accounts.map((account) => account.address),
  data: Buffer.from(Uint8Array.from(data)).toString("hex"),
});

const tokenInstructions = async (tokenProgram: Address): Promise<readonly Instruction[]> => {
  const config = { programAddress: tokenProgram };
  const [source] = await findAssociatedTokenPda({ owner: FROM, mint: MINT, tokenProgram });
  const [destination] = await findAssociatedTokenPda({ owner: TO, mint: MINT, tokenProgram });
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: SIGNER,
      ata: destination,
      owner: TO,
      mint: MINT,
      tokenProgram,
    }),
    memoInstruction(MEMO),
    getTransferCheckedInstruction(
      { source, mint: MINT, destination, authority: SIGNER, amount: 2_500_000n, decimals: 6 },
      config,
    ),
  ];
};

const budget = [
  getSetComputeUnitLimitInstruction({ units: 30_000 }),
  getSetComputeUnitPriceInstruction({ microLamports: 25_000n }),
];

describe("the text that is written here", () => {
  it("is what the chain's own library writes of a payment", () => {
    const unsigned = encodeSolana(transferDraft(SOL_TRANSFER, { ...FRAME, creates: false }));
    const paid = getTransferSolInstruction({ source: SIGNER, destination: TO, amount: 1_500_000_000n });
    expect(instructionsBySdk(unsigned)).toEqual([...budget, memoInstruction(MEMO), paid].map(shown));
  });

  it.each([
    [SPL_TRANSFER, TOKEN_PROGRAM_ADDRESS],
    [SPL_2022_TRANSFER, address(SOLANA_TOKEN_2022_PROGRAM)],
  ])("is what the programs' own libraries write of a token: %j", async (transfer, program) => {
    const unsigned = encodeSolana(transferDraft(transfer, FRAME));
    expect(instructionsBySdk(unsigned)).toEqual(
      [...budget, ...(await tokenInstructions(program))].map(shown),
    );
  });

  it("is read by the chain's own library as of one signer who pays, and of its blockhash", () => {
    const unsigned = encodeSolana(transferDraft(SPL_TRANSFER, FRAME));
    const { messageBytes, signatures } = getTransactionDecoder().decode(unsigned);
    expect(signatures).toEqual({ [SOLANA_SENDER]: null });
    expect(getCompiledTransactionMessageDecoder().decode(messageBytes)).toMatchObject({
      version: 0,
      header: { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 7 },
      lifetimeToken: SOLANA_BLOCKHASH,
    });
  });

  it("fits into a packet at its longest", () => {
    const slot = 2n ** 64n - 1n;
    const frame = { ...FRAME, memo: { ...FRAME.memo, slot } };
    expect(encodeSolana(transferDraft(SPL_2022_TRANSFER, frame)).length).toBeLessThan(1_232);
  });

  it("is read as it was written, with a price or without, to others or to oneself", () => {
    for (const transfer of [SOL_TRANSFER, SPL_TRANSFER, { ...SPL_2022_TRANSFER, to: SOLANA_SENDER }]) {
      const draft = transferDraft(transfer, { ...FRAME, price: undefined });
      expect(decodeSolana(encodeSolana(draft))).toEqual({ ok: true, value: draft });
    }
  });
});

describe("the account associated with an owner and a token", () => {
  it.each([TOKEN_PROGRAM_ADDRESS, address(SOLANA_TOKEN_2022_PROGRAM)])(
    "is the one of the program's library: %s",
    async (tokenProgram) => {
      const kind = tokenProgram === TOKEN_PROGRAM_ADDRESS ? "Spl" : "Spl2022";
      for (const owner of [SOLANA_SENDER, SOLANA_RECIPIENT, SOLANA_MINT]) {
        const [expected] = await findAssociatedTokenPda({ owner: address(owner), mint: MINT, tokenProgram });
        expect(associatedAccount({ kind, mint: SOLANA_MINT }, owner)).toBe(expected);
      }
    },
  );
});

describe("transactions that callers build by the chain's own library", () => {
  it.each([0, "legacy"] as const)("is read in version %s", async (version) => {
    const instructions = [...budget, ...(await tokenInstructions(TOKEN_PROGRAM_ADDRESS)), payment];
    expect(said(bytesBySdk(instructions, { version }))).toBe("read");
  });

  it.each<[string, readonly Instruction[], string]>([
    [
      "takes from another",
      [getTransferSolInstruction({ source: createNoopSigner(TO), destination: FROM, amount: 1n })],
      "more than one signer",
    ],
    [
      "calls a program that nobody reads",
      [{ programAddress: MINT, data: Uint8Array.of(1) }],
      "nobody reads its instruction 1",
    ],
    [
      "does something else with the System program",
      [{ ...payment, data: Uint8Array.of(4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0) }],
      "nobody reads its instruction 1",
    ],
    [
      "names an account more than is read",
      [{ ...payment, accounts: [...payment.accounts, { address: MINT, role: 0 }] }],
      "nobody reads its instruction 1",
    ],
    ["sets its price twice", [...budget, ...budget.slice(1), payment], "computePrice twice"],
    [
      "asks for a larger heap",
      [{ ...getSetComputeUnitLimitInstruction({ units: 1 }), data: Uint8Array.of(1, 0, 0, 1, 0) }],
      "nobody reads its instruction 1",
    ],
    [
      "has a memo that is no text",
      [{ ...memoInstruction(""), data: Uint8Array.of(0xff) }],
      "nobody reads its instruction 1",
    ],
  ])("INV-3 is refused when it %s", (_, instructions, why) => {
    expect(said(bytesBySdk(instructions))).toContain(why);
  });

  it("INV-3 is refused when a token is taken from an account that is not the signer's associated one", async () => {
    const [, , paid] = await tokenInstructions(TOKEN_PROGRAM_ADDRESS);
    const accounts = paid?.accounts?.map((account, at) =>
      at === 0 ? { ...account, address: MINT } : account,
    );
    expect(
      said(bytesBySdk([{ ...paid, programAddress: TOKEN_PROGRAM_ADDRESS, accounts: accounts ?? [] }])),
    ).toContain("nobody reads");
  });

  it("INV-3 is refused when the account of a token is made at another's cost", async () => {
    const [made] = await tokenInstructions(TOKEN_PROGRAM_ADDRESS);
    const accounts = made?.accounts?.map((account, at) =>
      at === 0 ? { address: MINT, role: 1 as const } : account,
    );
    const bytes = bytesBySdk([
      {
        ...made,
        programAddress: address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"),
        accounts: accounts ?? [],
      },
    ]);
    expect(said(bytes)).toContain("takes from another account");
  });
});

describe("bytes that are no transaction", () => {
  const good = bytesBySdk([payment]);
  /** offsets after the signature count and the empty signature: version, header, accounts */
  const [VERSION_AT, HEADER_AT, ACCOUNTS_AT] = [65, 66, 69];
  const changed = (at: number, byte: number): Uint8Array =>
    good.map((old, index) => (index === at ? byte : old));

  it.each<[string, Uint8Array]>([
    ["it ends too early", new Uint8Array(0)],
    ["it ends too early", good.slice(0, -1)],
    ["it goes on behind its end", concatBytes(good, Uint8Array.of(0))],
    ["it is too long", new Uint8Array(1_233)],
    ["more than one signer", changed(0, 2)],
    ["its signature is not empty", changed(5, 1)],
    ["of a version that nobody reads", changed(VERSION_AT, 0x81)],
    ["exactly one signer", changed(HEADER_AT, 2)],
    ["exactly one signer", changed(HEADER_AT + 1, 1)],
    ["its signer may not be changed", changed(HEADER_AT + 2, 3)],
    ["it ends too early", changed(ACCOUNTS_AT, 120)],
    ["it uses an address lookup table", concatBytes(good.slice(0, -1), Uint8Array.of(1))],
    [
      "its shortest form",
      concatBytes(good.slice(0, ACCOUNTS_AT), Uint8Array.of(0x83, 0), good.slice(ACCOUNTS_AT + 1)),
    ],
  ])("INV-3 are refused: %s", (why, bytes) => {
    expect(said(bytes)).toContain(why);
  });

  it("INV-3 are never read two ways: what is read is written back to the same bytes, whichever byte is changed", () => {
    for (let at = 0; at < good.length; at += 1) {
      const spoilt = changed(at, ((good[at] ?? 0) + 1) % 256);
      const decoded = decodeSolana(spoilt);
      if (decoded.ok) expect(decodeSolana(encodeSolana(decoded.value))).toEqual(decoded);
    }
  });
});
