--  SPDX-License-Identifier: MIT
--  Three periodic tasks share protected objects: Ada's run-time system locks them with ceilings, by
--  mutexes of PTHREAD_PRIO_PROTECT. Prints how many events were logged.
pragma Locking_Policy (Ceiling_Locking);
pragma Task_Dispatching_Policy (FIFO_Within_Priorities);

with Ada.Real_Time; use Ada.Real_Time;
with Ada.Text_IO;

procedure Controller with Priority => 5 is
   type Event_Count is range 0 .. 1_000_000;

   protected Plant with Priority => 30 is
      procedure Steer (Value : Integer);
      function Position return Integer;
   private
      Now : Integer := 0;
   end Plant;

   protected Log with Priority => 20 is
      procedure Add;
      function Events return Event_Count;
   private
      So_Far : Event_Count := 0;
   end Log;

   protected body Plant is
      procedure Steer (Value : Integer) is
      begin
         Now := Now + (Value - Now) / 2;
      end Steer;

      function Position return Integer is (Now);
   end Plant;

   protected body Log is
      procedure Add is
      begin
         So_Far := So_Far + 1;
      end Add;

      function Events return Event_Count is (So_Far);
   end Log;

begin
   declare --  The block ends with its tasks, after 1 s.
      task Control with Priority => 30;
      task Plan with Priority => 20;
      task Observe with Priority => 10;

      task body Control is
         Next : Time := Clock;
      begin
         for Round in 1 .. 500 loop
            Next := Next + Milliseconds (2);
            delay until Next;
            Plant.Steer (Plant.Position + Round);
         end loop;
      end Control;

      task body Plan is
         Next : Time := Clock;
      begin
         for Round in 1 .. 200 loop
            Next := Next + Milliseconds (5);
            delay until Next;
            Plant.Steer (Round);
            Log.Add;
         end loop;
      end Plan;

      task body Observe is
         Next : Time := Clock;
      begin
         for Round in 1 .. 100 loop
            Next := Next + Milliseconds (10);
            delay until Next;
            if Plant.Position > 0 then
               Log.Add;
            end if;
         end loop;
      end Observe;
   begin
      null;
   end;
   Ada.Text_IO.Put_Line ("events:" & Log.Events'Image);
end Controller;
