import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { type AnyUnsigned, buildTransfer, decodeAnyUnsigned, evmTransferSchema } from "@conclave/chains/evm";
import type { CommandOf, NamedSession } from "@conclave/cluster";
import {
  type AuthorisedTransfer,
  authorisedTransferSchema,
  type SignedAuthorisation,
  transferIdSchema,
} from "@conclave/custody";
import type { StreamReport } from "@conclave/platform";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { asOrchestrator, ORCHESTRATOR_LOGIN } from "../orchestrator-database.ts";
import { PATIENCE_MS } from "../patience.ts";
import { SignerAccess } from "../signer-access.ts";
import { storedTransfer } from "../stored-transfer.ts";
import { cluster } from "./shared-cluster.ts";

type SigningRequest = CommandOf<"signing">;

const SESSION_MS = 20_000;
const QUORUM: readonly PartyIndex[] = [1, 2, 3].flatMap((number) => partyIndex(number) ?? []);
const QUORUM_IDS = ["signer-1", "signer-2", "signer-3"];

let signers: SignerAccess;
/** of a transfer that was authorised, signed and confirmed normally */
let authorisation: SignedAuthorisation;
let authorised: AuthorisedTransfer;
let transaction: AnyUnsigned;
let request: SigningRequest;

/** Asks the quorum's signers, over Control, to sign this. @returns each signer's last report */
const answers = async (asked: SigningRequest, given?: NamedSession): Promise<readonly string[]> => {
  const session = given ?? (await signers.freshSession());
  return Promise.all(
    QUORUM_IDS.map(
      (id) =>
        new Promise<string>((resolve) => {
          signers.client(id).begin(session, asked, {
            report: (report) => {
              if (report.kind !== "progress") resolve(lastWord(report));
            },
            lost: (reason) => resolve(`lost: ${reason}`),
          });
        }),
    ),
  );
};
const lastWord = (report: StreamReport): string =>
  report.kind === "refusal" ? report.problem.code : report.kind;

const allSay = (word: string): readonly string[] => QUORUM_IDS.map(() => word);

/** The confirmed transfer's transaction, with changes. */
const altered = (
  change: { readonly to?: string; readonly amount?: string },
  frame: { readonly chainId?: number; readonly nonce?: bigint; readonly gasLimit?: bigint } = {},
): SigningRequest => ({
  ...request,
  unsigned: buildTransfer({
    chainId: Number(transaction.chainId),
    nonce: transaction.nonce,
    gasLimit: transaction.gasLimit,
    ...frame,
    fees: {
      maxFeePerGas: transaction.maxFeePerGas,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGas,
    },
    transfer: evmTransferSchema.parse({ ...authorised.transfer, ...change }),
  }),
});

const withPayload = (change: Partial<AuthorisedTransfer>): SigningRequest => ({
  ...request,
  authorisation: {
    payload: Buffer.from(JSON.stringify({ ...authorised, ...change })),
    signature: authorisation.signature,
  },
});

export const lyingOrchestrator = (): void => {
  describe("signers' refusals to their orchestrator", () => {
    beforeAll(async () => {
      signers = await SignerAccess.open(cluster);
      const wallet = await makeFundedWallet(cluster);
      const asked = await cluster.api.transfer(wallet.id, {
        kind: "Native",
        to: freshReceiver(),
        amount: "5000",
      });
      await cluster.api.confirmed(asked, PATIENCE_MS);
      const done = await storedTransfer(cluster, asked.id);
      if (done.authorisation === undefined) throw new Error(`${done.id} is not authorised`);
      authorisation = done.authorisation;
      authorised = authorisedTransferSchema.parse(JSON.parse(Buffer.from(authorisation.payload).toString()));
      const unsigned = done.unsignedTransaction ?? new Uint8Array(0);
      const decoded = decodeAnyUnsigned(unsigned);
      if (!decoded.ok) throw new Error(decoded.problem.message);
      transaction = decoded.value;
      request = {
        kind: "signing",
        quorum: QUORUM,
        keyId: authorised.keyId,
        authorisation,
        unsigned,
        presignatures: [],
        dead: undefined,
        expiresAtMs: Date.now() + SESSION_MS,
      };
    });
    afterAll(async () => {
      signers?.close();
    });

    describe("an orchestrator gone bad, with its own certificate", () => {
      it("can have the very same transaction signed again, which changes nothing", async () => {
        expect(await answers(request)).toEqual(allSay("signed"));
      });

      it.each([
        ["goes to another receiver", () => altered({ to: `0x${"ab".repeat(20)}` })],
        ["moves another amount", () => altered({ amount: "5001" })],
        ["is for another chain", () => altered({}, { chainId: 1 })],
      ] as const)("INV-3 is refused by every signer when the transaction %s", async (_, make) => {
        expect(await answers(make())).toEqual(allSay("TransactionMismatch"));
      });

      it("INV-3 is refused by every signer when the transaction cannot be decoded", async () => {
        const unsigned = Buffer.concat([request.unsigned, Buffer.from([0])]);
        expect(await answers({ ...request, unsigned })).toEqual(allSay("TransactionUnreadable"));
      });

      it("is refused by every signer when the fee is above the cap", async () => {
        expect(await answers(altered({}, { gasLimit: 10n ** 12n }))).toEqual(allSay("FeeAboveCap"));
      });

      it("INV-4 is refused by every signer when the request takes a second account nonce", async () => {
        expect(await answers(altered({}, { nonce: transaction.nonce + 1n }))).toEqual(
          allSay("TransactionNotExcluding"),
        );
      });

      it("INV-4 is refused by every signer when it says itself that the first transaction is dead", async () => {
        const { privateKey } = generateKeyPairSync("ed25519");
        const payload = Buffer.from(
          JSON.stringify({
            version: 1,
            kind: "dead-transactions",
            requestId: authorised.requestId,
            network: authorised.network,
            transactions: [createHash("sha256").update(request.unsigned).digest("hex")],
            dateRequested: new Date().toISOString(),
          }),
        );
        const dead = { payload, signature: sign(null, payload, privateKey) };
        const second = altered({}, { nonce: transaction.nonce + 1n });
        expect(await answers({ ...second, dead })).toEqual(allSay("AuthorisationInvalid"));
      });

      it.each([
        ["receiver", () => withPayload({ transfer: { ...authorised.transfer, to: `0x${"ab".repeat(20)}` } })],
        [
          "request id",
          () => withPayload({ requestId: transferIdSchema.parse(`xfr-00000-00000-${"0".repeat(16)}`) }),
        ],
      ] as const)("INV-8 is refused by every signer when it changes the authorised %s", async (_, make) => {
        expect(await answers(make())).toEqual(allSay("AuthorisationInvalid"));
      });

      it("INV-8 is refused by every signer when it signs the authorisation itself", async () => {
        const { privateKey } = generateKeyPairSync("ed25519");
        const { payload } = authorisation;
        const own = { payload, signature: sign(null, payload, privateKey) };
        expect(await answers({ ...request, authorisation: own })).toEqual(allSay("AuthorisationInvalid"));
      });

      it("is refused by every signer when it asks for the key of another wallet", async () => {
        const other = await makeFundedWallet(cluster, "another");
        expect(await answers({ ...request, keyId: other.signingKey.id })).toEqual(
          allSay("AuthorisationInvalid"),
        );
      });

      it("INV-1 is refused by every signer when it asks for a quorum below the threshold", async () => {
        expect((await answers({ ...request, quorum: QUORUM.slice(0, 2) })).slice(0, 2)).toEqual([
          "QuorumInvalid",
          "QuorumInvalid",
        ]);
      });

      it("INV-2 is refused by every signer when it begins a session a second time", async () => {
        const session = await signers.freshSession();
        expect(await answers(request, session)).toEqual(allSay("signed"));
        expect(await answers(request, session)).toEqual(allSay("SessionReused"));
      });

      it.each([
        ["who may do what", "select * from permission_assignments"],
        ["policies", "update policies set status = 'Archived'"],
        ["who approves", "insert into policy_approval_decisions default values"],
        ["which policies a wallet is under", `update wallets set tags = '["mine"]'`],
      ])("INV-8 cannot touch in the database %s", async (_, statement) => {
        const database = asOrchestrator(cluster);
        try {
          await expect(database.execute(statement)).rejects.toMatchObject({ code: "42501" });
        } finally {
          await database.close();
        }
      });

      it("INV-8 has no other login to the database than its own", async () => {
        const database = asOrchestrator(cluster);
        try {
          const logins = await database.rows(
            z.object({ usename: z.string() }),
            "select distinct usename from pg_stat_activity where application_name = 'conclave-orchestrator'",
          );
          expect(logins).toEqual([{ usename: ORCHESTRATOR_LOGIN }]);
        } finally {
          await database.close();
        }
      });

      it("cannot make a signer forget an active key", async () => {
        const before = await signers.keys();
        const answer = await signers.client("signer-1").discardKey(request.keyId);
        expect(answer).toMatchObject({ ok: false, problem: { code: "KeyExists" } });
        expect(await signers.keys()).toEqual(before);
      });

      it("is refused by every signer when the deadline has passed", async () => {
        expect(await answers({ ...request, expiresAtMs: Date.now() - 1 })).toEqual(allSay("SessionExpired"));
      });
    });
  });
};
