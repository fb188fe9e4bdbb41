import { afterEach, beforeEach, type MockInstance, vi } from "vitest";

/** Captures what each test of the file writes to one of the process's streams, so that nothing reaches the terminal. */
export const saidTo = (stream: "stdout" | "stderr"): (() => string) => {
  let said: string;
  let write: MockInstance;
  beforeEach(() => {
    said = "";
    write = vi.spyOn(process[stream], "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    write.mockRestore();
  });
  return () => said;
};

/** The part of a test's output that one command writes. */
export const saidBy = async (said: () => string, command: () => Promise<void>): Promise<string> => {
  const before = said().length;
  await command();
  return said().slice(before);
};
