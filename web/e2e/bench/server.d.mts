export interface BenchServer {
  url: string;
  bounds: { min_lat: number; min_lng: number; max_lat: number; max_lng: number } | null;
  stop(): Promise<void>;
}
export function serve(port: number): Promise<BenchServer>;
export const CHROMIUM: { executablePath: string; args: string[] };
