import { vi } from "vitest";

/** What is written to one of the process's streams from now on, until mocks are restored. */
export const saidTo = (stream: "stdout" | "stderr"): (() => string) => {
  let said = "";
  vi.spyOn(process[stream], "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  return () => said;
};
