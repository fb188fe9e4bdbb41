import { expect, it } from "vitest";
import { errorOf, transferOf } from "./bodies.ts";
import { codeOf, type FamilyWorld, statusOf } from "./family-world.ts";
import { ACTIVATED, ADDRESS } from "./world.ts";

const DATE = "2026-01-02T03:04:05.678Z";

/** The facts that all families of whole bytes are tried with. The world is there once tests run. */
export interface ExactBytesCase {
  readonly family: () => FamilyWorld;
  /** the address of the wallet's key */
  readonly address: string;
  /** of the main network, which is not served */
  readonly unserved: string;
  /** a format of keys that the family does not take */
  readonly otherKey: { readonly scheme: string; readonly curve: string };
  readonly native: { readonly kind: "Native"; readonly to: string; readonly amount: string };
  /** bodies of transfers that are refused with 400 and a code */
  readonly refusedTransfers: readonly (readonly [string, object])[];
  /** a caller's bytes that are refused with 400 and a code, by their description */
  readonly refusedBytes: readonly (readonly [string, string, string])[];
  /** a caller's bytes that cost more than the cap of the network */
  readonly dearBytes: string;
}

/** A wallet of an Ed25519 family gets such a key of its own. */
export const itMakesEdwardsKeys = (family: () => FamilyWorld, key: { readonly publicKey: Uint8Array }) =>
  it("gets a key of FROST Ed25519 of its own", async () => {
    const { world, network } = family();
    const publicKey = Buffer.from(key.publicKey).toString("hex");
    world.script({ kind: "Activated", publicKey, date: DATE });
    const { status, body } = await world.call("POST", "/wallets", { network });
    world.script(ACTIVATED);
    expect([status, body]).toMatchObject([
      200,
      { network, signingKey: { scheme: "EdDSA", curve: "ed25519", publicKey } },
    ]);
  });

/** INV-9 of wallets. */
export const itRefusesWallets = ({ family, address, unserved, otherKey }: ExactBytesCase): void => {
  it("has the address of its key", () => {
    expect(family().wallet.address).toBe(address);
  });

  it("INV-9 is refused with KeyFormatMismatch or NetworkNotEnabled", async () => {
    const { world, network } = family();
    const mismatched = await world.call("POST", "/wallets", { network, signingKey: otherKey });
    expect(codeOf(mismatched)).toEqual([400, "KeyFormatMismatch"]);
    const elsewhere = await world.call("POST", "/wallets", { network: unserved });
    expect(codeOf(elsewhere)).toEqual([400, "NetworkNotEnabled"]);
  });
};

/** INV-9 of transfers. */
export const itRefusesTransfers = ({ family, refusedTransfers }: ExactBytesCase): void => {
  it.each(refusedTransfers)("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const { world, send } = family();
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });
};

/** INV-9 of a caller's own bytes. */
export const itRefusesBytes = ({ family, refusedBytes, dearBytes }: ExactBytesCase): void => {
  it.each(refusedBytes)(
    "INV-9 is refused with %s when it is one %s, and changes nothing",
    async (code, _, bytes) => {
      const { world, broadcast } = family();
      const before = await world.rows();
      expect(codeOf(await broadcast(bytes))).toEqual([400, code]);
      expect(await world.rows()).toBe(before);
    },
  );

  it("INV-9 is refused when it costs more than the network's cap", async () => {
    expect(codeOf(await family().broadcast(dearBytes))).toEqual([422, "FeeAboveCap"]);
  });

  it("INV-9 is of no other template", async () => {
    const { world, path } = family();
    const answer = await world.call("POST", `${path}/transactions`, { kind: "Evm", to: ADDRESS, value: "1" });
    expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
  });
};

/** Nothing is replaced. */
export const itTakesNoPlace = ({ family, native }: ExactBytesCase) =>
  it("INV-9 takes nothing's place, and has none that could be taken", async () => {
    const { world, path, send } = family();
    const { id } = transferOf((await send({ ...native, amount: "2000007" })).body);
    await world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
         tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1)],
    );
    for (const verb of ["speed-up", "cancel"]) {
      const answer = await world.call("POST", `${path}/transfers/${id}/${verb}`);
      expect([verb, ...codeOf(answer)]).toEqual([verb, 400, "TransactionKindNotSupported"]);
    }
  });

/** A signature of a caller's bytes is authorised with the whole of them. */
export const itSignsWhole = (family: () => FamilyWorld, name: string, scheme: string, bytes: () => string) =>
  it(`INV-3 of a transaction is authorised whole, for signers to read: ${scheme}`, async () => {
    const { network, wallet, sign, signatureOf } = family();
    const { status, body } = await sign({ kind: "Transaction", transaction: bytes() });
    expect(status).toBe(200);
    expect(await signatureOf(body)).toMatchObject({
      scheme,
      walletId: wallet.id,
      content: {
        kind: "readable",
        family: name,
        content: { kind: "transaction", network, transaction: bytes().slice(2) },
      },
    });
  });

/** Priorities are of families with a market of fees. */
export const itHasNoPriorities = (family: () => FamilyWorld) =>
  it("INV-9 are no fees by priority, which the network does not take", async () => {
    const { world, network } = family();
    const answer = await world.call("GET", `/networks/fees?network=${network}`);
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([400, "PriorityNotSupported"]);
  });

/** INV-8 of an asset without a price. */
export const itTriggersWithoutPrice = ({ family, native }: ExactBytesCase) =>
  it("trigger on amounts of which nobody knows the worth", async () => {
    const { under, send } = family();
    await under("TransactionAmountLimit", { limit: 1_000_000, currency: "USD" }, async () => {
      expect(await statusOf(send({ ...native, amount: "2000012" }))).toBe("Rejected");
    });
  });
