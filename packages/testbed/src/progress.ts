/** A progress report of a start. `text` is a line for people; the other fields are for programs. */
export type StartProgress =
  | { readonly kind: "stage"; readonly text: string }
  | {
      readonly kind: "process";
      readonly name: string;
      readonly state: "starting" | "ready";
      readonly text: string;
    }
  | { readonly kind: "auxiliary"; readonly ready: number; readonly total: number; readonly text: string }
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "exit"; readonly name: string; readonly text: string };

export type OnProgress = (progress: StartProgress) => void;
