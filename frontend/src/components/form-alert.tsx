import { Alert } from "./ui/alert";

/** Server error that belongs to no single field. */
export function FormAlert({ message }: { message: string | null }) {
  return message === null ? null : <Alert tone="danger">{message}</Alert>;
}
