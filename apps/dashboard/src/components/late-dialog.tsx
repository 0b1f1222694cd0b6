import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';
import { Button } from './controls';
import { Failure, Skeleton } from './display';
import { Dialog } from './overlays';

interface LateDialogProps<Module> {
  /** Name of the code, which is loaded once. */
  name: string;
  title: string;
  load: () => Promise<Module>;
  onClose(): void;
  children: (module: Module) => ReactNode;
}

/** Loads code when a component first needs it, so that the page itself stays small. */
export function useLateCode<Module>(name: string, load: () => Promise<Module>) {
  return useQuery<Module, ApiError>({
    queryKey: ['code', name],
    queryFn: () =>
      load().catch(() => {
        throw new ApiError('UNREACHABLE', 'The server does not respond.');
      }),
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** Dialog whose code is loaded when it opens. */
export function LateDialog<Module>({ name, title, load, onClose, children }: LateDialogProps<Module>) {
  const { data, error, refetch } = useLateCode(name, load);
  if (data !== undefined) return children(data);
  return (
    <Dialog title={title} onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
    </Dialog>
  );
}
