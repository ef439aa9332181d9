import { readCookie } from "./client";
import { reportConnectivity } from "./connectivity";
import { Problem } from "./problem";

export interface UploadOptions {
  /** Uploaded share, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Uploads a file and returns the server's response. Uses XMLHttpRequest, because `fetch` does not
 * report upload progress.
 */
export function uploadFile(path: string, file: Blob, options: UploadOptions): Promise<unknown> {
  const { onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    const token = readCookie("edison_csrf");
    if (token !== null) {
      request.setRequestHeader("X-CSRF-Token", token);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        resolve(body);
        return;
      }
      const { status } = request;
      reject(Problem.fromResponse(new Response(null, { status }), body));
    };
    request.onerror = () => {
      reportConnectivity("unreachable");
      reject(Problem.unreachable());
    };
    request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
