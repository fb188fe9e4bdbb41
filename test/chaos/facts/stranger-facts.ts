import type { Cluster } from "@conclave/testbed";
import { addOrganisation } from "../../integration/second-organisation.ts";
import type { LoadHistory } from "../load/history.ts";
import type { StrangerFact } from "./cluster-facts.ts";

/** Paths that the stranger requests: per wallet only its first request, because the others would add nothing. */
const pathsOf = ({ wallets, requests }: LoadHistory): readonly string[] =>
  wallets.flatMap(({ id, keyId }) => {
    const own = requests.find(({ walletId, answer }) => walletId === id && answer?.kind === "accepted");
    const request = own?.answer?.kind === "accepted" ? [`/wallets/${id}/transfers/${own.answer.id}`] : [];
    return [`/wallets/${id}`, `/keys/${keyId}`, ...request];
  });

/** The answers to an administrator of another organisation that knows every id. */
export const readAsStranger = async (
  cluster: Cluster,
  history: LoadHistory,
): Promise<readonly StrangerFact[]> => {
  const { api } = await addOrganisation(cluster);
  const answers: StrangerFact[] = [];
  for (const path of pathsOf(history)) {
    answers.push({ path, status: (await api.send("GET", path)).status });
  }
  return answers;
};
