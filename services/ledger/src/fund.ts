// Pays an address out of the faucet of the ledger in the same container, with the ledger's environment, because the
// faucet listens only on loopback.
// node services/ledger/dist/bundle/fund.js ADDRESS AMOUNT
// AMOUNT is in the chain's smallest unit.
import { z } from "zod";

const ANSWER_MS = 30_000;

const answerSchema = z.looseObject({ message: z.string().optional() });

const [address, amount, ...others] = process.argv.slice(2);
const adminUrl = `http://127.0.0.1:${process.env["CONCLAVE_ADMIN_PORT"] ?? "4002"}`;

const command = async (action: string, input: object): Promise<void> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (answer.ok) return;
  const { message = `HTTP ${answer.status}` } = answerSchema.parse(await answer.json());
  throw new Error(message);
};

const fund = async (): Promise<string> => {
  if (address === undefined || !/^[1-9]\d*$/.test(amount ?? "") || others.length > 0) {
    throw new Error("say an address, and how much it gets in the chain's smallest unit");
  }
  await command("fund", { address, amount });
  await command("mine", { blocks: 2 });
  return `${address} gets ${amount}`;
};

await fund().then(
  (words) => process.stdout.write(`${words}\n`),
  (error: unknown) => {
    process.stderr.write(`fund: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
