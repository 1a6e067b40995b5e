--  SPDX-License-Identifier: MIT
--  Three tasks share protected objects: Ada's run-time system locks them with ceilings, by mutexes of
--  PTHREAD_PRIO_PROTECT. Two are periodic; what they do to the plant is written down within the same
--  protected action, and the third waits at an entry for what is new. Prints how much there was.
pragma Locking_Policy (Ceiling_Locking);
pragma Task_Dispatching_Policy (FIFO_Within_Priorities);

with Ada.Real_Time; use Ada.Real_Time;
with Ada.Text_IO;

procedure Controller with Priority => 5 is
   Controls : constant := 500;
   Plans    : constant := 200;

   type Event_Count is range 0 .. Controls + Plans;

   --  Called from inside Plant, so its ceiling is not below Plant's.
   protected Log with Priority => 30 is
      procedure Add;
      entry Next;
      function Seen return Event_Count;
   private
      Added, Taken : Event_Count := 0;
   end Log;

   protected Plant with Priority => 30 is
      procedure Steer (Value : Integer);
      function Position return Integer;
   private
      Now : Integer := 0;
   end Plant;

   protected body Log is
      procedure Add is
      begin
         Added := Added + 1;
      end Add;

      entry Next when Added > Taken is
      begin
         Taken := Taken + 1;
      end Next;

      function Seen return Event_Count is (Taken);
   end Log;

   protected body Plant is
      procedure Steer (Value : Integer) is
      begin
         Now := Now + (Value - Now) / 2;
         Log.Add;
      end Steer;

      function Position return Integer is (Now);
   end Plant;

begin
   declare --  The block ends with its tasks, after 1 s.
      task Control with Priority => 30;
      task Plan with Priority => 20;
      task Observe with Priority => 10;

      task body Control is
         Next : Time := Clock;
      begin
         for Round in 1 .. Controls loop
            Next := Next + Milliseconds (2);
            delay until Next;
            Plant.Steer (Plant.Position + Round);
         end loop;
      end Control;

      task body Plan is
         Next : Time := Clock;
      begin
         for Round in 1 .. Plans loop
            Next := Next + Milliseconds (5);
            delay until Next;
            Plant.Steer (Round);
         end loop;
      end Plan;

      task body Observe is
      begin
         for Event in 1 .. Controls + Plans loop
            Log.Next;
         end loop;
      end Observe;
   begin
      null;
   end;
   Ada.Text_IO.Put_Line ("events:" & Log.Seen'Image);
end Controller;
